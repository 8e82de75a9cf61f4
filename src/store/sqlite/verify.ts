import type { JournalRecord } from '../../domain/journal.rules.ts';
import { Auditor, type Fault, type Verdict } from '../../domain/verdict.rules.ts';
import { openForReading, prepare } from './database.ts';
import * as rows from './rows.ts';

/** Records checked before others get a turn: a check of a million holds up no reader. */
const RECORDS_AT_ONCE = 2_000;

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/**
 * Checks a realm's books on a connection of its own, whose one transaction sees them as they stood
 * when it began, however long it takes and whatever is written meanwhile.
 */
export async function verify(path: string, realmId: string): Promise<Verdict | null> {
  const db = openForReading(path);
  try {
    db.exec('BEGIN');
    const realm = prepare<rows.RealmSqlRow, [string]>(
      db,
      `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`,
    ).get(realmId);
    if (!realm) return null;
    const auditor = new Auditor(realmId);
    const records = prepare<JournalRecord, [string, number, number]>(
      db,
      `SELECT ${rows.JOURNAL_COLUMNS} FROM journal WHERE realm_id = ? AND seq > ?
       ORDER BY seq LIMIT ?`,
    );
    let fault: Fault | null = null;
    for (let last = 0; fault === null; await turn()) {
      const page = records.all(realmId, last, RECORDS_AT_ONCE);
      for (const record of page) fault ??= auditor.take(record);
      last = page.at(-1)?.seq ?? last;
      if (page.length < RECORDS_AT_ONCE) break;
    }
    fault ??= auditor.end(realm.seq, realm.head.toLowerCase());
    const balances = prepare<{ member_id: string; point_id: string; balance: number }, [string]>(
      db,
      `SELECT CAST(member_id AS TEXT) AS member_id, point_id, balance FROM balances
       WHERE realm_id = ?`,
    );
    for (const row of fault === null ? balances.all(realmId) : []) {
      fault ??= auditor.balance(row.member_id, row.point_id, row.balance);
    }
    fault ??= auditor.leftOver();
    if (fault) return { ok: false, transactions: auditor.seq, fault };
    const members = prepare<{ count: number }, [string]>(
      db,
      `SELECT count(*) AS count FROM members WHERE realm_id = ? AND status <> 'removed'`,
    ).get(realmId);
    return {
      ok: true,
      transactions: auditor.seq,
      members: members?.count ?? 0,
      head: auditor.head,
    };
  } finally {
    db.close();
  }
}
