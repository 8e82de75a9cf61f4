import type { Comparison, Fault } from './comparison.ts';

/** A number for each member, by the member's index; NaN for those that have none. */
export class Column {
  #values = new Float64Array(64).fill(Number.NaN);

  get(index: number): number {
    return this.#values[index] ?? Number.NaN;
  }

  set(index: number, value: number): void {
    const { length } = this.#values;
    if (index >= length) {
      const larger = new Float64Array(Math.max(index + 1, length * 2)).fill(Number.NaN, length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[index] = value;
  }

  /** Adds a digest to those that the member has, in any order. */
  mix(index: number, digest: number): void {
    this.set(index, ((this.get(index) || 0) ^ digest) >>> 0);
  }

  delete(index: number): void {
    if (index < this.#values.length) this.#values[index] = Number.NaN;
  }

  findIndex(condition: (value: number, index: number) => boolean): number {
    return this.#values.findIndex(
      (value, index) => !Number.isNaN(value) && condition(value, index),
    );
  }

  count(condition: (value: number) => boolean): number {
    return this.#values.reduce((sum, value) => sum + Number(condition(value)), 0);
  }
}

/**
 * Numbers the members of a realm in the order in which they are first seen, so that what is known
 * of each takes 8 bytes in a column: a map by id takes ten times that, and a realm may have a
 * million members.
 */
export class MemberIndex {
  readonly #indexes = new Map<string, number>();
  readonly #ids: string[] = [];

  get size(): number {
    return this.#ids.length;
  }

  of(memberId: string): number {
    let index = this.#indexes.get(memberId);
    if (index === undefined) {
      index = this.#ids.push(memberId) - 1;
      this.#indexes.set(memberId, index);
    }
    return index;
  }

  idOf(index: number): string {
    return this.#ids[index] ?? '';
  }
}

/**
 * Folds a number into a digest of rows. Each step is a bijection of the digest and of the number's
 * lower half, so that a single changed number always changes the digest.
 */
export function fold(digest: number, value: number): number {
  const low = Math.imul(digest ^ value, 0x85ebca6b);
  const high = Math.imul(low ^ (low >>> 13) ^ Math.floor(value / 2 ** 32), 0xc2b2ae35);
  return (high ^ (high >>> 16)) >>> 0;
}

/** A digest of values; never 0, which nothing and two equal rows mix to. */
export function digestOf(...values: (string | number | null)[]): number {
  let digest = 0;
  for (const value of values) {
    if (typeof value === 'number') digest = fold(digest, value);
    else {
      // As a database stores it.
      const text = value?.toWellFormed() ?? '';
      digest = fold(digest, value === null ? -1 : text.length);
      for (let at = 0; at < text.length; at += 1) digest = fold(digest, text.charCodeAt(at));
    }
  }
  return digest || 1;
}

/** The first member whose numbers differ; -1 if none do. */
export function differenceOf(expected: Column, stored: Column): number {
  const differs = (other: Column) => (value: number, index: number) => value !== other.get(index);
  const changed = expected.findIndex(differs(stored));
  return changed >= 0 ? changed : stored.findIndex(differs(expected));
}

/** Compares digests of the rows that each member has, which are too many to be kept. */
export function compareDigests<Row>(
  members: MemberIndex,
  expected: Column,
  add: (stored: Column, row: Row) => Fault | null,
  detail: string,
): Comparison<Row> {
  const stored = new Column();
  return {
    add: (row) => add(stored, row),
    end: () => {
      const index = differenceOf(expected, stored);
      return index < 0 ? null : { seq: null, memberId: members.idOf(index), detail };
    },
  };
}
