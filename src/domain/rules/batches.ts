import { type Refusal, Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { isStep, type Steps } from './steps.ts';
import { rollBack } from './table.ts';

/**
 * Executes the entries of one command, each on top of those before it: all or none if `atomic`,
 * otherwise each on its own. `list` is the field of the request that the entries are in.
 */
export function* executeEach<Entry, Result>(
  books: Books,
  { atomic, list }: { atomic: boolean; list: string },
  entries: readonly Entry[],
  execute: (entry: Entry) => Result,
  refused: (entry: Entry, refusal: Refusal) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, entry] of entries.entries()) {
    if (isStep(index)) yield;
    const savepoint = books.undo.length;
    try {
      results.push(execute(entry));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, extra } = error.refusal;
      if (atomic) throw new Refused(code, extra, `/${list}/${index}`);
      rollBack(books.undo, savepoint);
      results.push(refused(entry, error.refusal));
    }
  }
  return results;
}
