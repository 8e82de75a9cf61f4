import type { DatabaseSync } from 'node:sqlite';
import type { ProjectionChanges } from '../../../domain/rules/projections.ts';
import { type NameWords, NO_WORDS, rename } from '../../../domain/rules/search.ts';
import { remove, statementsOn, upsert } from '../rows.ts';

/** Updates the words that members are found by after their names changed. */
export function nameIndexer(db: DatabaseSync) {
  const wordsOf = statementsOn(db).get<NameWords, [number, string]>(
    `SELECT username, display_name AS displayName FROM member_names
     WHERE realm_no = ? AND member_id = ?`,
  );
  const setNames = upsert(db, 'member_names', 'realm_no, member_id', 'username, display_name');
  const setWord = upsert(db, 'member_words', 'realm_no, word, member_id', 'others');
  const removeWord = remove(db, 'member_words', 'realm_no, word, member_id');
  return (realmNo: number, names: ProjectionChanges['names']): void => {
    for (const [memberId, changed] of names) {
      const renaming = rename(wordsOf(realmNo, memberId) ?? NO_WORDS, changed);
      if (!renaming) continue;
      const { words, removed, indexed } = renaming;
      setNames.run(realmNo, memberId, words.username, words.displayName);
      for (const word of removed) removeWord.run(realmNo, word, memberId);
      for (const { word, others } of indexed) setWord.run(realmNo, word, memberId, others);
    }
  };
}
