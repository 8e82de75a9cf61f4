import type { DatabaseSync } from 'node:sqlite';
import type { Reversal } from '../../domain/facts.ts';
import type { Reader } from '../../domain/queries.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { transactionOf } from '../../domain/rules/statements.ts';
import { tables } from '../tables/tables.ts';
import { prepare } from './database.ts';
import { rowByKey, rowsOf } from './rows.ts';

type JournalReader = Pick<Reader, 'transaction' | 'records' | 'lastSeq'>;

export function journalReader(db: DatabaseSync): JournalReader {
  const find = {
    lastSeq: prepare<{ seq: number }, [string]>(db, 'SELECT seq FROM realms WHERE realm_id = ?'),
    record: rowByKey<JournalRecord, number>(db, tables.records),
    records: rowsOf(db, tables.records).select<[string, number, number]>(
      'WHERE realm_id = ? AND seq > ? ORDER BY seq LIMIT ?',
    ),
    reversal: rowByKey<Reversal, number>(db, tables.reversals),
  };
  return {
    transaction: ({ realmId, seq }) => {
      const found = find.record(realmId, seq);
      return found ? transactionOf(found, find.reversal(realmId, seq)) : null;
    },
    records: ({ realmId, after, limit }) => find.records.all(realmId, after, limit),
    lastSeq: ({ realmId }) => find.lastSeq.get(realmId)?.seq ?? 0,
  };
}
