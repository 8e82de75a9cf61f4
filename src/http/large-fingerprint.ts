import { createHash } from 'node:crypto';
import type { Json } from '../contract/json.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  END,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  Scanner,
} from '../contract/json-scanner.ts';
import type { JsonSource, KeyOrder } from '../contract/key-order.ts';
import { LongString } from '../contract/long-string.ts';
import { canonicalJson, FINGERPRINT_LENGTH, type Target, targetOf } from './calls.ts';

/** What `fingerprintOf` returns, from the text of a large body, in slices. */
export function* fingerprintInSlices(call: Target, source: JsonSource): Generator<void, string> {
  const sha256 = createHash('sha256').update(targetOf(call));
  for (const piece of canonicalPieces(source)) {
    sha256.update(piece);
    yield;
  }
  return sha256.digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** Characters of a piece, and keys that are sorted at once: well below a millisecond. */
const PIECE = 16_384;
const RUN = 512;

/**
 * What `canonicalJson` returns for the value of a text, in pieces and straight from the text: the
 * parts of a large body that nothing looks at are never built, but they belong to it.
 */
export function* canonicalPieces(source: JsonSource): Generator<string, void> {
  const writer = new CanonicalWriter(source);
  while (writer.isInString || writer.nextToken()) {
    const object = writer.isInString ? null : writer.unsortedObject();
    if (object) yield* writer.open(object);
    else writer.writeNext();
    if (writer.pending() >= PIECE) yield writer.takePiece();
  }
  yield writer.takePiece();
}

/** An object that is written in another order than it was sent in. */
interface Unsorted {
  /** Where the keys are, in the order in which they are written. */
  keyPlaces: number[];
  written: number;
  end: number;
  depth: number;
}

/**
 * Copies a valid text, in runs as long as possible: a run ends at white space, at a token that is
 * not in canonical form, and where the next key in order is elsewhere.
 */
class CanonicalWriter extends Scanner {
  #out = '';
  /** Where the current run begins; it ends at the current place. */
  #from = 0;
  readonly #order: KeyOrder;
  readonly #open: Unsorted[] = [];
  #depth = 0;
  #long: LongString | null = null;

  constructor({ text, order }: JsonSource) {
    super(text);
    this.#order = order;
  }

  get isInString(): boolean {
    return this.#long !== null;
  }

  pending(): number {
    return this.#out.length + this.at - this.#from;
  }

  takePiece(): string {
    this.#endRun(this.at, this.at);
    const piece = this.#out;
    this.#out = '';
    return piece;
  }

  /** Moves to the next token; false at the end of the text. */
  nextToken(): boolean {
    const end = this.at;
    const code = this.next();
    if (this.at !== end) this.#endRun(end, this.at);
    return code !== END;
  }

  /** The object that starts here, if its keys are not sorted. */
  unsortedObject(): ReturnType<KeyOrder['at']> {
    return this.text.charCodeAt(this.at) === OPEN_BRACE ? this.#order.at(this.at) : null;
  }

  *open({ end, keyPlaces: sent }: { end: number; keyPlaces: number[] }): Generator<string, void> {
    const start = this.at;
    const keyPlaces = yield* this.#sorted(sent);
    this.#depth++;
    this.#open.push({ keyPlaces, written: 0, end, depth: this.#depth });
    this.#replace(start, '{', keyPlaces[0] ?? end);
  }

  /** Writes the next part of a long string, or the next token. */
  writeNext(): void {
    if (this.#long === null) this.#writeToken();
    else this.#writePart(this.#long);
  }

  #writeToken(): void {
    const start = this.at;
    const code = this.text.charCodeAt(start);
    if (code === QUOTE) {
      // Text without escapes is its own canonical form.
      if (this.passString()) return;
      if (LongString.isLong(start, this.at)) this.#startLong(start);
      else this.#write(start, this.valueFrom(start, false));
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#pass(1);
    else if (code === COLON) this.#pass(0);
    else if (code !== COMMA && code !== CLOSE_BRACE && code !== CLOSE_BRACKET) {
      this.#write(start, this.scalar(code));
    } else if (this.#open.at(-1)?.depth === this.#depth) this.#nextMember();
    else this.#pass(code === COMMA ? 0 : -1);
  }

  #startLong(start: number): void {
    this.#long = new LongString(this.text, start, this.at);
    this.#replace(start, '"', this.#long.at);
  }

  #writePart(long: LongString): void {
    const part = JSON.stringify(long.nextPart());
    this.#replace(this.at, part.slice(1, long.isComplete ? undefined : -1), long.at);
    if (long.isComplete) this.#long = null;
  }

  #pass(levels: number): void {
    this.at++;
    this.#depth += levels;
  }

  /** After a member of an unsorted object. */
  #nextMember(): void {
    const object = this.#open.at(-1) as Unsorted;
    const place = object.keyPlaces[++object.written];
    this.#replace(this.at, place === undefined ? '}' : ',', place ?? object.end);
    if (place !== undefined) return;
    this.#depth--;
    this.#open.pop();
  }

  #write(start: number, value: Json): void {
    const canonical = canonicalJson(value);
    const isAsSent = canonical.length === this.at - start && this.text.startsWith(canonical, start);
    if (!isAsSent) this.#replace(start, canonical, this.at);
  }

  /** Writes something else than the text from `start`, and continues at `next`. */
  #replace(start: number, written: string, next: number): void {
    this.#endRun(start, next);
    this.#out += written;
    this.at = next;
  }

  #endRun(end: number, next: number): void {
    if (end > this.#from) this.#out += this.text.slice(this.#from, end);
    this.#from = next;
  }

  /** A merge sort that pauses: the 400,000 keys that fit into a body take half a second. */
  *#sorted(places: readonly number[]): Generator<string, number[]> {
    let runs: Key[][] = [];
    for (let from = 0; from < places.length; from += RUN) {
      const keys = places.slice(from, from + RUN).map((place) => this.#keyAt(place));
      runs.push(keys.sort(byName));
      if (places.length > RUN) yield '';
    }
    while (runs.length > 1) {
      const merged: Key[][] = [];
      for (let i = 0; i < runs.length; i += 2) {
        merged.push(yield* merge(runs[i] ?? [], runs[i + 1] ?? []));
      }
      runs = merged;
    }
    return (runs[0] ?? []).map(({ place }) => place);
  }

  #keyAt(place: number): Key {
    this.at = place;
    return { name: this.string(), place };
  }
}

interface Key {
  name: string;
  place: number;
}

/** No two keys of an object are equal. */
const byName = (one: Key, other: Key): number => (one.name < other.name ? -1 : 1);

function* merge(left: readonly Key[], right: readonly Key[]): Generator<string, Key[]> {
  const merged: Key[] = [];
  let l = 0;
  let r = 0;
  for (let a = left[0], b = right[0]; a && b; a = left[l], b = right[r]) {
    const isLeft = a.name < b.name;
    merged.push(isLeft ? a : b);
    if (isLeft) l++;
    else r++;
    if (merged.length % RUN === 0) yield '';
  }
  return merged.concat(left.slice(l), right.slice(r));
}
