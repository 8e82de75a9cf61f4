import type { ProjectionChanges } from '../../../domain/rules/projections.ts';
import { type NameWords, NO_WORDS, rename } from '../../../domain/rules/search.ts';
import { slices } from '../../../engine/slices.ts';
import type { Connection } from '../connection.ts';
import { columns, insertRows, statement } from '../statement.ts';

const sql = {
  names: statement<NameWords & { memberId: string }, [string, string[]]>(
    `SELECT wanted.id::text AS "memberId", n.username, n.display_name AS "displayName"
     FROM unnest($2::bigint[]) AS wanted(id) CROSS JOIN LATERAL
       (SELECT username, display_name FROM member_names
        WHERE realm_id = $1 AND member_id = wanted.id OFFSET 0) n`,
  ),
  setNames: insertRows<[string, string[], string[], string[]]>(
    'member_names (realm_id, member_id, username, display_name)',
    'new.*',
    'unnest($2::bigint[], $3::text[], $4::text[]) new',
    ` ON CONFLICT (realm_id, member_id)
      DO UPDATE SET username = excluded.username, display_name = excluded.display_name`,
  ),
  setWords: insertRows<[string, string[], string[], string[]]>(
    'member_words (realm_id, word, member_id, others)',
    'new.*',
    'unnest($2::text[], $3::bigint[], $4::text[]) new',
    ' ON CONFLICT (realm_id, word, member_id) DO UPDATE SET others = excluded.others',
  ),
  removeWords: statement<never, [string, string[], string[]]>(
    `DELETE FROM member_words WHERE ctid = ANY (ARRAY(SELECT found.ctid
     FROM unnest($2::text[], $3::bigint[]) AS gone(word, id) CROSS JOIN LATERAL
       (SELECT ctid FROM member_words
        WHERE realm_id = $1 AND word = gone.word AND member_id = gone.id OFFSET 0) found))`,
  ),
};

/** A long name takes a fifth of a millisecond. */
function* renamings(
  stored: (NameWords & { memberId: string })[],
  names: ProjectionChanges['names'],
) {
  const before = new Map(stored.map((row) => [row.memberId, row]));
  const renamed = [];
  for (const [memberId, changed] of names) {
    const renaming = rename(before.get(memberId) ?? NO_WORDS, changed);
    if (renaming) renamed.push({ memberId, ...renaming, ...renaming.words });
    yield;
  }
  return renamed;
}

/** Updates the words that members are found by after their names changed. */
export async function indexNames(
  connection: Connection,
  realmId: string,
  names: ProjectionChanges['names'],
): Promise<void> {
  const stored = await connection.query(sql.names, realmId, [...names.keys()]);
  const renamed = await slices.run(`names ${realmId}`, null, renamings(stored, names));
  const removed = renamed.flatMap(({ memberId, removed }) =>
    removed.map((word) => ({ word, memberId })),
  );
  const indexed = renamed.flatMap(({ memberId, indexed }) =>
    indexed.map((word) => ({ ...word, memberId })),
  );
  const nameColumns = columns(renamed, 'memberId', 'username', 'displayName');
  connection.send(sql.setNames, realmId, ...nameColumns);
  if (removed.length > 0) {
    connection.send(sql.removeWords, realmId, ...columns(removed, 'word', 'memberId'));
  }
  connection.send(sql.setWords, realmId, ...columns(indexed, 'word', 'memberId', 'others'));
}
