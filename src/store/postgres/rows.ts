export * from '../rows.ts';

/** Where a column holds bytes, PostgreSQL has its own way to show them. */
export const REALM_COLUMNS = `realm_id, name, settings, seq, encode(head, 'hex') AS head, last_at,
  CAST(next_member_id AS TEXT) AS next_member_id, created_at, updated_at`;

export const JOURNAL_COLUMNS = `seq, type, at, actor, data, encode(hash, 'hex') AS hash`;
