import type { DatabaseSync } from 'node:sqlite';
import type { Reversed } from '../../domain/facts.ts';
import type { Reader } from '../../domain/queries.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { transactionOf } from '../../domain/rules/statements.ts';
import { prepare } from './database.ts';
import * as rows from './rows.ts';

type JournalReader = Pick<Reader, 'transaction' | 'records' | 'lastSeq'>;

export function journalReader(db: DatabaseSync): JournalReader {
  const record = `SELECT ${rows.JOURNAL_COLUMNS} FROM journal WHERE realm_id = ?`;
  const find = {
    lastSeq: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    record: prepare<JournalRecord, [string, number]>(db, `${record} AND seq = ?`),
    records: prepare<JournalRecord, [string, number, number]>(
      db,
      `${record} AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    reversed: prepare<Reversed, [string, number]>(
      db,
      'SELECT seq, tokens, by_seq AS by FROM reversed WHERE realm_id = ? AND seq = ?',
    ),
  };
  return {
    transaction: ({ realmId, seq }) => {
      const found = find.record.get(realmId, seq);
      return found ? transactionOf(found, find.reversed.get(realmId, seq)) : null;
    },
    records: ({ realmId, after, limit }) => find.records.all(realmId, after, limit),
    lastSeq: ({ realmId }) => find.lastSeq.get(realmId)?.seq ?? 0,
  };
}
