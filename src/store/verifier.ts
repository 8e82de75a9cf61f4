import { Auditor, type BalanceToCheck, type Fault, type Verdict } from '../domain/rules/audit.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { Unavailable } from '../engine/errors.ts';

/** Rows per page. A check yields to other work between pages, however long it takes. */
const PAGE_SIZE = 2_000;
/** Each check occupies a connection and keeps an old state of the database alive. */
const MAX_CHECKS = 2;

type Page<Row> = Row[] | Promise<Row[]>;

/** A realm's journal and balances at one instant, whatever is written during the check. */
export interface Snapshot {
  realmId: string;
  seq: number;
  head: string;
  /** Records in order, starting after the one given. */
  records(after: JournalRecord | undefined, limit: number): Page<JournalRecord>;
  /** Balances by member and point kind, starting after the one given. */
  balances(after: BalanceToCheck | undefined, limit: number): Page<BalanceToCheck>;
  countMembers(): number | Promise<number>;
}

/** Opens a snapshot for the duration of a check; returns null if there is no such realm. */
type WithSnapshot = (
  realmId: string,
  check: (snapshot: Snapshot) => Promise<Verdict>,
) => Promise<Verdict | null>;

/** Checks realms. Callers who ask for a check that is running share its verdict. */
export class Verifier {
  readonly #withSnapshot: WithSnapshot;
  readonly #running = new Map<string, Promise<Verdict | null>>();
  #isStopping = false;

  constructor(withSnapshot: WithSnapshot) {
    this.#withSnapshot = withSnapshot;
  }

  verify(realmId: string): Promise<Verdict | null> {
    const running = this.#running.get(realmId);
    if (running) return running;
    if (this.#running.size >= MAX_CHECKS) {
      return Promise.reject(new Unavailable('overloaded', 'other realms are being checked'));
    }
    const check = this.#withSnapshot(realmId, (snapshot) => this.#check(snapshot)).finally(() =>
      this.#running.delete(realmId),
    );
    this.#running.set(realmId, check);
    return check;
  }

  /** Aborts the checks that are running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#running.values());
  }

  async #check(snapshot: Snapshot): Promise<Verdict> {
    const auditor = new Auditor(snapshot.realmId);
    const fault =
      (await this.#eachRow<JournalRecord>(
        (after) => snapshot.records(after, PAGE_SIZE),
        (record) => auditor.checkRecord(record),
      )) ??
      auditor.checkEnd(snapshot.seq, snapshot.head) ??
      (await this.#eachRow<BalanceToCheck>(
        (after) => snapshot.balances(after, PAGE_SIZE),
        (balance) => auditor.checkBalance(balance),
      )) ??
      auditor.checkMissingBalances();
    const { transactions, records, head } = auditor.verified;
    if (fault) return { ok: false, transactions, records, fault };
    return { ok: true, transactions, records, members: await snapshot.countMembers(), head };
  }

  /** Requests the next page before it checks this one. Returns the first fault. */
  async #eachRow<Row>(
    read: (after: Row | undefined) => Page<Row>,
    check: (row: Row) => Fault | null,
  ): Promise<Fault | null> {
    const request = async (after?: Row) => read(after);
    for (let next = request(); ; ) {
      const page = await next;
      await new Promise((next) => setImmediate(next));
      if (this.#isStopping) throw new Unavailable('overloaded', 'the service is stopping');
      const isLast = page.length < PAGE_SIZE;
      if (!isLast) {
        next = request(page.at(-1));
        // If this page has a fault, nobody awaits the next one.
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
