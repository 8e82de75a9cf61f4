/** One of many members that the same is done to, and how it is called. */
export interface Target {
  id: string;
  name: string;
}

/** What became of it: how it is undone, or in a sentence why it was not done. */
export type Result = { undo: () => Promise<unknown> } | { reason: string };

export type Done = Target & { undo: () => Promise<unknown> };
export type Refused = Target & { reason: string };

/** Done to many members, part by part; or undone. */
export interface Many {
  phase: 'ready' | 'running' | 'stopped' | 'done';
  isUndo: boolean;
  count: number;
  done: readonly Done[];
  refused: readonly Refused[];
  /** What stopped it; the part may have been done. */
  error: Error | null;
}

export const untouched = (count = 0, isUndo = false): Many => {
  return { phase: 'ready', isUndo, count, done: [], refused: [], error: null };
};

export const answeredOf = ({ done, refused }: Many): number => done.length + refused.length;

/** With the results of a part. */
export function withResults(
  many: Many,
  part: readonly Target[],
  results: readonly Result[],
): Many {
  const told = part.map((target, index) => ({ ...target, ...(results[index] as Result) }));
  return {
    ...many,
    done: [...many.done, ...told.filter((one) => 'undo' in one)],
    refused: [...many.refused, ...told.filter((one) => 'reason' in one)],
  };
}

/** The key of a part, as the client names those of one long list: the first has the base alone. */
export const partKey = (base: string, part: number): string =>
  part === 0 ? base : `${base}:${part + 1}`;
