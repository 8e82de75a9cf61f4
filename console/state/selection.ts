import { useMemo, useRef, useState } from 'preact/hooks';
import { between } from '../text/ranges.ts';

interface Row {
  id: string;
}

export interface Selection<R extends Row> {
  /** In the order in which they were selected. */
  rows: readonly R[];
  has: (row: R) => boolean;
  /** With `isRange`, all from the row that was toggled last. */
  toggle: (row: R, isRange: boolean) => void;
  set: (rows: readonly R[]) => void;
  clear: () => void;
}

const NOTHING = new Map();

/** Rows of a list that something is to be done to. Another list begins with none. */
export function useSelection<R extends Row>(key: string, listed: readonly R[]): Selection<R> {
  const [chosen, setChosen] = useState<{ key: string; rows: ReadonlyMap<string, R> }>({
    key,
    rows: NOTHING,
  });
  const rows: ReadonlyMap<string, R> = chosen.key === key ? chosen.rows : NOTHING;
  const last = useRef<string | null>(null);
  const keep = (next: ReadonlyMap<string, R>): void => setChosen({ key, rows: next });
  const toggle = (row: R, isRange: boolean): void => {
    const isOn = !rows.has(row.id);
    const next = new Map(rows);
    for (const one of isRange ? between(listed, last.current, row) : [row]) {
      if (isOn) next.set(one.id, one);
      else next.delete(one.id);
    }
    last.current = row.id;
    keep(next);
  };
  return {
    // As they are now, where the list shows them.
    rows: useMemo(() => {
      const shown = new Map(rows.size === 0 ? [] : listed.map((row) => [row.id, row]));
      return [...rows.values()].map((row) => shown.get(row.id) ?? row);
    }, [rows, listed]),
    has: ({ id }) => rows.has(id),
    toggle,
    set: (some) => keep(new Map(some.map((row) => [row.id, row]))),
    clear: () => keep(NOTHING),
  };
}
