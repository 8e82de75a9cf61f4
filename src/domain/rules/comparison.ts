export interface Fault {
  /** The first record that is wrong; null if the fault is not in a record. */
  seq: number | null;
  memberId?: string;
  realmPointId?: string;
  /** The table that follows from the journal, and differs from it. */
  projection?: string;
  detail: string;
}

/** Compares the stored rows of one table, in the order of their key, with what the journal says. */
export interface Comparison<Row> {
  add(row: Row): Fault | null;
  end(): Fault | null;
}

/** What is wrong with a row; of two, the one that is missing is undefined. */
type WrongIn<Row> = (row: Row | undefined, right: Row | undefined) => string | null;

/** Of rows that are kept. The fault, or its detail, goes on from what the row is. */
export function compareRows<Row extends object>(
  expected: Iterable<Row>,
  keyOf: (row: Row) => unknown,
  tell: (row: Row, says: string) => Fault | string,
  wrongIn: WrongIn<Row> = wrongField,
): Comparison<Row> {
  const faultOf = (row: Row, says: string | null): Fault | null => {
    const told = says === null ? null : tell(row, says);
    return typeof told === 'string' ? { seq: null, detail: told } : told;
  };
  const missing = new Map(Array.from(expected, (row) => [keyOf(row), row]));
  return {
    add: (row) => {
      const key = keyOf(row);
      const right = missing.get(key);
      missing.delete(key);
      return faultOf(row, wrongIn(row, right));
    },
    end: () => {
      const [row] = missing.values();
      return row ? faultOf(row, wrongIn(undefined, row)) : null;
    },
  };
}

function wrongField<Row extends object>(row: Row | undefined, right: Row | undefined) {
  if (!right) return 'is not in the journal';
  return row ? differentField(row, right) : 'is in the journal, but its row is missing';
}

/** What a row says that the journal does not; null if it says all that the journal does. */
export function differentField<Row extends object>(row: Row, right: Row): string | null {
  const wrong = (Object.keys(right) as (keyof Row)[]).find((name) => row[name] !== right[name]);
  if (wrong === undefined) return null;
  return `has ${String(wrong)} ${row[wrong]}, but ${right[wrong]} according to the journal`;
}

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

/** Numbers members as they are first seen: a column takes 8 bytes of each, a map ten times that. */
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

/** Each step is a bijection, so that a single changed number always changes the digest. */
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
