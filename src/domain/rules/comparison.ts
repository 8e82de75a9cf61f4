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
  /** Adds the next stored row. */
  add(row: Row): Fault | null;
  /** After the last one. */
  end(): Fault | null;
}

/**
 * Compares rows that are few enough to be kept. The fault, or its detail, goes on from what the row
 * is to what is wrong with it.
 */
export function compareRows<Row extends object>(
  expected: Iterable<Row>,
  keyOf: (row: Row) => unknown,
  tell: (row: Row, says: string) => Fault | string,
): Comparison<Row> {
  const faultOf = (row: Row, says: string): Fault => {
    const told = tell(row, says);
    return typeof told === 'string' ? { seq: null, detail: told } : told;
  };
  const missing = new Map(Array.from(expected, (row) => [keyOf(row), row]));
  return {
    add: (row) => {
      const right = missing.get(keyOf(row));
      if (!right) return faultOf(row, 'is not in the journal');
      missing.delete(keyOf(row));
      const says = differentField(row, right);
      return says === null ? null : faultOf(row, says);
    },
    end: () => {
      const [row] = missing.values();
      return row ? faultOf(row, 'is in the journal, but its row is missing') : null;
    },
  };
}

/** What a row says that the journal does not; null if it says all that the journal does. */
export function differentField<Row extends object>(row: Row, right: Row): string | null {
  const wrong = (Object.keys(right) as (keyof Row)[]).find((name) => row[name] !== right[name]);
  if (wrong === undefined) return null;
  return `has ${String(wrong)} ${row[wrong]}, but ${right[wrong]} according to the journal`;
}
