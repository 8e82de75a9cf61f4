import type { RealmRow } from '../../domain/model.ts';
import { Auditor, type Fault, type Verdict } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { Unavailable } from '../../engine/errors.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { toDomainError } from './errors.ts';
import { columnsOf, queryRows, rowsOf } from './rows.ts';
import { statement } from './statement.ts';

const ROWS_AT_ONCE = 2_000;
/** Each check keeps a connection and an old state of the books, so there are never many. */
const MAX_AT_ONCE = 2;

interface BalanceSqlRow {
  /** Not called as its column, which is a number: Citus would take the one for the other. */
  memberId: string;
  realm_point_id: string;
  balance: number;
}

const find = {
  realm: rowsOf(tables.realms).select<[string]>('WHERE realm_id = $1'),
  records: statement<JournalRecord, [string, number]>(
    `SELECT ${columnsOf(tables.records)} FROM journal WHERE realm_id = $1 AND seq > $2::bigint
     ORDER BY seq LIMIT ${ROWS_AT_ONCE}`,
  ),
  balances: statement<BalanceSqlRow, [string, string, string]>(
    `SELECT member_id::text AS "memberId", realm_point_id, balance FROM balances
     WHERE realm_id = $1 AND (member_id, realm_point_id) > ($2::bigint, $3)
     ORDER BY member_id, realm_point_id LIMIT ${ROWS_AT_ONCE}`,
  ),
  members: statement<{ count: number }, [string]>(
    `SELECT count(*) AS count FROM members WHERE realm_id = $1 AND status <> 'removed'`,
  ),
};

/**
 * Checks realms' books, each on a connection of its own whose one transaction sees them as they
 * stood when it began. Whoever asks for a check that is under way gets its verdict.
 */
export class Verifier {
  readonly #database: Database;
  readonly #underWay = new Map<string, Promise<Verdict | null>>();
  #stopping = false;

  constructor(database: Database) {
    this.#database = database;
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
    const connection = await this.#database.connect('verify');
    try {
      await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const [realm] = await queryRows(connection, find.realm, realmId);
      return realm ? await this.#judge(connection, realm) : null;
    } catch (error) {
      throw toDomainError(error);
    } finally {
      await connection.close();
    }
  }

  async #judge(connection: Connection, realm: RealmRow): Promise<Verdict> {
    const realmId = realm.id;
    const auditor = new Auditor(realmId);
    const fault =
      (await this.#eachPage(
        (last: JournalRecord | undefined) =>
          connection.query(find.records, realmId, last?.seq ?? 0),
        (record) => auditor.take(record),
      )) ??
      auditor.end(realm.seq, realm.head) ??
      (await this.#eachPage(
        (last: BalanceSqlRow | undefined) =>
          connection.query(
            find.balances,
            realmId,
            last?.memberId ?? '0',
            last?.realm_point_id ?? '',
          ),
        (row) => auditor.balance(row.memberId, row.realm_point_id, row.balance),
      )) ??
      auditor.leftOver();
    const { transactions, seq: records, head } = auditor;
    if (fault) return { ok: false, transactions, records, fault };
    const [members] = await connection.query(find.members, realmId);
    return { ok: true, transactions, records, members: members?.count ?? 0, head };
  }

  /** The next page is on its way while this one is checked. */
  async #eachPage<Row>(
    ask: (last: Row | undefined) => Promise<Row[]>,
    check: (row: Row) => Fault | null,
  ): Promise<Fault | null> {
    for (let next = ask(undefined); ; ) {
      const page = await next;
      if (this.#stopping) throw new Unavailable('overloaded', 'the service is stopping');
      const isLast = page.length < ROWS_AT_ONCE;
      if (!isLast) {
        next = ask(page.at(-1));
        // A fault ends the check while this is under way: nobody then waits for it.
        next.catch(() => undefined);
      }
      for (const row of page) {
        const fault = check(row);
        if (fault) return fault;
      }
      if (isLast) return null;
    }
  }
}
