/** One of many members that the same is done to, and how it is called. */
export interface Target {
  id: string;
  name: string;
}

/** What became of it: how it is undone, or in a sentence why it was not done. */
export type Result = { undo: () => Promise<unknown> } | { reason: string };

export interface Refused extends Target {
  reason: string;
}

/** Done to many members, part by part. */
export interface Many<T extends Target = Target> {
  phase: 'ready' | 'running' | 'stopped' | 'done' | 'undoing' | 'undone';
  targets: readonly T[];
  /** How many have an answer, or are undone. */
  answered: number;
  done: readonly (Target & { undo: () => Promise<unknown> })[];
  refused: readonly Refused[];
  /** What stopped it; the part may have been done. */
  error: Error | null;
}

export const untouched = <T extends Target>(targets: readonly T[]): Many<T> => ({
  phase: 'ready',
  targets,
  answered: 0,
  done: [],
  refused: [],
  error: null,
});

/** With the results of the targets that come next. */
export function withResults<T extends Target>(many: Many<T>, results: readonly Result[]): Many<T> {
  const { targets, answered } = many;
  const told = results.map((result, index) => ({ ...(targets[answered + index] as T), ...result }));
  return {
    ...many,
    answered: answered + results.length,
    done: [...many.done, ...told.filter((one) => 'undo' in one)],
    refused: [...many.refused, ...told.filter((one) => 'reason' in one)],
  };
}

/** The key of a part, as the client names those of one long list: the first has the base alone. */
export const partKey = (base: string, part: number): string =>
  part === 0 ? base : `${base}:${part + 1}`;
