/** The text of a body, and the order of its keys. */
export interface JsonSource {
  readonly text: string;
  readonly order: KeyOrder;
}

/** Where the keys of objects are that are not sorted, in one list: there may be 300,000 of them. */
export class KeyOrder {
  readonly #indices = new Map<number, number>();
  readonly #places: number[] = [];

  add(start: number, keyPlaces: readonly number[], end: number): void {
    this.#indices.set(start, this.#places.length);
    this.#places.push(keyPlaces.length, end);
    for (const place of keyPlaces) this.#places.push(place);
  }

  /** The end of the object that starts here, and the places of its keys; null if it is sorted. */
  at(start: number): { end: number; keyPlaces: number[] } | null {
    const index = this.#indices.get(start);
    if (index === undefined) return null;
    const [length = 0, end = 0] = this.#places.slice(index, index + 2);
    return { end, keyPlaces: this.#places.slice(index + 2, index + 2 + length) };
  }
}
