import { type Refusal, Refused } from '../refusal.ts';
import type { Books } from './books.ts';
import { rollBack } from './table.ts';

/**
 * Executes the entries of one command, each on top of those before it: all or none if `atomic`,
 * otherwise each on its own. `list` is the field of the request that the entries are in.
 */
export function executeEach<Entry, Result>(
  books: Books,
  { atomic, list }: { atomic: boolean; list: string },
  entries: readonly Entry[],
  execute: (entry: Entry) => Result,
  refused: (entry: Entry, refusal: Refusal) => Result,
): Result[] {
  return entries.map((entry, index) => {
    const savepoint = books.undo.length;
    try {
      return execute(entry);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, extra } = error.refusal;
      if (atomic) throw new Refused(code, extra, `/${list}/${index}`);
      rollBack(books.undo, savepoint);
      return refused(entry, error.refusal);
    }
  });
}
