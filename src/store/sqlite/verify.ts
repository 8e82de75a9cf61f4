import type { DatabaseSync } from 'node:sqlite';
import { Auditor, type Fault, type Verdict } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { Unavailable } from '../../engine/errors.ts';
import { tables } from '../tables/tables.ts';
import { openForReading, prepare } from './database.ts';
import { rowsOf } from './rows.ts';

/** Rows checked before others get a turn: a check of a million holds up no reader. */
const ROWS_AT_ONCE = 2_000;
/** Each check keeps a connection and an old state of the file, so there are never many. */
const MAX_AT_ONCE = 2;

/**
 * A number past 2^53, which only a forger writes, is a fault to be told: read as an integer it
 * would end the check with an error.
 */
const RECORD = `CAST(seq AS REAL) AS seq, type, CAST(at AS REAL) AS at, actor, data,
  lower(hex(hash)) AS hash`;

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/**
 * Checks realms' books, each on a connection of its own whose one transaction sees them as they
 * stood when it began, however long it takes and whatever is written meanwhile. Whoever asks for a
 * check that is under way gets its verdict.
 */
export class Verifier {
  readonly #path: string;
  readonly #underWay = new Map<string, Promise<Verdict | null>>();
  #stopping = false;

  constructor(path: string) {
    this.#path = path;
  }

  verify(realmId: string): Promise<Verdict | null> {
    const underWay = this.#underWay.get(realmId);
    if (underWay) return underWay;
    if (this.#underWay.size >= MAX_AT_ONCE) {
      return Promise.reject(new Unavailable('overloaded', 'other books are being checked'));
    }
    const check = this.#check(realmId).finally(() => this.#underWay.delete(realmId));
    this.#underWay.set(realmId, check);
    return check;
  }

  /** Gives up what is under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.allSettled(this.#underWay.values());
  }

  async #check(realmId: string): Promise<Verdict | null> {
    const db = openForReading(this.#path);
    try {
      db.exec('BEGIN');
      const realm = rowsOf(db, tables.realms).select<[string]>('WHERE realm_id = ?').get(realmId);
      if (!realm) return null;
      const auditor = new Auditor(realmId);
      const fault =
        (await this.#eachPage(journalPages(db, realmId), (record) => auditor.take(record))) ??
        auditor.end(realm.seq, realm.head) ??
        (await this.#eachPage(balancePages(db, realmId), (row) =>
          auditor.balance(row.member_id, row.realm_point_id, row.balance),
        )) ??
        auditor.leftOver();
      const { transactions, seq: records, head } = auditor;
      if (fault) return { ok: false, transactions, records, fault };
      return { ok: true, transactions, records, members: countMembers(db, realmId), head };
    } finally {
      db.close();
    }
  }

  async #eachPage<Row>(
    pages: Iterable<Row[]>,
    check: (row: Row) => Fault | null,
  ): Promise<Fault | null> {
    for (const page of pages) {
      for (const row of page) {
        const fault = check(row);
        if (fault) return fault;
      }
      await turn();
      if (this.#stopping) throw new Unavailable('overloaded', 'the service is stopping');
    }
    return null;
  }
}

function* journalPages(db: DatabaseSync, realmId: string): Generator<JournalRecord[]> {
  const find = prepare<JournalRecord, [string, number, number]>(
    db,
    `SELECT ${RECORD} FROM journal WHERE realm_id = ? AND journal.seq > ?
     ORDER BY journal.seq LIMIT ?`,
  );
  for (let last = 0; ; ) {
    const page = find.all(realmId, last, ROWS_AT_ONCE);
    yield page;
    if (page.length < ROWS_AT_ONCE) return;
    last = page.at(-1)?.seq ?? last;
  }
}

interface BalanceSqlRow {
  member_id: string;
  realm_point_id: string;
  balance: number;
}

function* balancePages(db: DatabaseSync, realmId: string): Generator<BalanceSqlRow[]> {
  const find = prepare<BalanceSqlRow, [string, string, string, number]>(
    db,
    `SELECT CAST(member_id AS TEXT) AS member_id, realm_point_id, CAST(balance AS REAL) AS balance
     FROM balances
     WHERE realm_id = ? AND (balances.member_id, realm_point_id) > (CAST(? AS INTEGER), ?)
     ORDER BY balances.member_id, realm_point_id LIMIT ?`,
  );
  for (let [memberId, realmPointId] = ['0', '']; ; ) {
    const page = find.all(realmId, memberId, realmPointId, ROWS_AT_ONCE);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < ROWS_AT_ONCE) return;
    memberId = last.member_id;
    realmPointId = last.realm_point_id;
  }
}

function countMembers(db: DatabaseSync, realmId: string): number {
  const sql = `SELECT count(*) AS count FROM members WHERE realm_id = ? AND status <> 'removed'`;
  return prepare<{ count: number }, [string]>(db, sql).get(realmId)?.count ?? 0;
}
