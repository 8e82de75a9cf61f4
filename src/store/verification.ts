import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { type InstantRecord, type RecordOf, wholeData } from '../domain/records.ts';
import { Auditor, type Verdict, type VerificationStep } from '../domain/rules/audit.ts';
import type { Comparison } from '../domain/rules/comparison.ts';
import { IdentityAuditor } from '../domain/rules/identity-audit.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { ProjectionAuditor } from '../domain/rules/projection-audit.ts';
import { TableAuditor } from '../domain/rules/table-audit.ts';
import { PAGE_SIZE, type Rows, realmEnd, snapshot } from './snapshot.ts';
import type { Operation } from './statement.ts';

/**
 * Rows checked between two turns of the event loop, which take about two milliseconds. On
 * PostgreSQL this thread also decides commands.
 */
const SLICE = 200;

/** Runs operations in a transaction that sees one instant, whatever is written during the check. */
export type Run = <T>(operation: Operation<T>) => T | Promise<T>;

/** Called after each slice of rows; throws to end the check. */
export type OnProgress = (step: VerificationStep, checked: number, total: number | null) => void;

/** Checks a realm; the verdict names the first fault. Null if there is no such realm. */
export async function verifyRealm(
  run: Run,
  realmId: string,
  onProgress: OnProgress,
): Promise<Verdict | null> {
  const end = await run(realmEnd(realmId));
  if (!end) return null;
  const { seq, head, clockAt } = end;
  const auditor = new Auditor(realmId);
  const tables = new TableAuditor(auditor);
  const identities = new IdentityAuditor(auditor.members);
  const projections = new ProjectionAuditor(auditor.members, Math.max(clockAt, Date.now()));
  const journal: Comparison<JournalRecord> = {
    add: (record) => {
      const fault = auditor.checkRecord(record);
      if (fault) return fault;
      const instant = decoded(record);
      tables.add(instant);
      identities.add(instant.record);
      projections.add(instant);
      return null;
    },
    end: () => auditor.checkEnd(seq, head) ?? auditor.parts.end(),
  };
  const enrolling = await run(snapshot.enrolments.page(realmId, undefined));
  const kinds = new Set(enrolling.map(({ realmPointId }) => realmPointId));
  const check = walk(run, realmId, onProgress);
  const fault =
    (await check('journal', seq, () => [against(snapshot.records, journal)])) ??
    (await check('tables', null, () => [
      ...tableChecks(auditor, tables, kinds),
      ...identityChecks(identities),
    ])) ??
    (await check('projections', null, () => projectionChecks(projections, tables)));
  const { transactions, records } = auditor.verified;
  if (fault) return { ok: false, transactions, records, fault };
  return { ok: true, transactions, records, members: tables.memberCount, head };
}

export const decoded = (record: JournalRecord): InstantRecord => {
  const { seq, type, at } = record;
  return { record: { seq, type, data: JSON.parse(wholeData(record)) } as RecordOf, at };
};

const tableChecks = (
  { holds, offers }: Auditor,
  auditor: TableAuditor,
  enrolling: ReadonlySet<string>,
): TableCheck[] => [
  against(snapshot.balances, auditor.storedBalances(enrolling)),
  against(snapshot.holds, holds.holds()),
  against(snapshot.offers, offers.offers()),
  against(snapshot.claims, offers.claims()),
  against(snapshot.claimants, offers.claimants()),
  against(snapshot.members, auditor.members()),
  against(snapshot.kinds, auditor.kinds()),
  against(snapshot.reversals, auditor.reversals()),
];

const identityChecks = (auditor: IdentityAuditor): TableCheck[] => [
  against(snapshot.profiles, auditor.profiles()),
  against(snapshot.accounts, auditor.accounts()),
  against(snapshot.wallets, auditor.wallets()),
  against(snapshot.apiKeys, auditor.keys()),
  against(snapshot.people, auditor.people()),
];

const projectionChecks = (auditor: ProjectionAuditor, tables: TableAuditor): TableCheck[] => [
  against(snapshot.entries, auditor.entries()),
  against(snapshot.movements, auditor.movements()),
  against(snapshot.references, auditor.references()),
  against(snapshot.days, auditor.days()),
  against(snapshot.activeMembers, auditor.activeMembers()),
  against(snapshot.scores, auditor.scores()),
  against(snapshot.pastScores, auditor.pastScores()),
  against(snapshot.buckets, auditor.buckets(tables.standings())),
];

interface TableCheck {
  readonly rows: Rows<never>;
  readonly comparison: Comparison<never>;
}

const against = <Row>(rows: Rows<Row>, comparison: Comparison<Row>): TableCheck =>
  ({ rows, comparison }) as unknown as TableCheck;

/** Goes through tables of a realm; returns the first fault. */
const walk =
  (run: Run, realmId: string, onProgress: OnProgress) =>
  async (step: VerificationStep, total: number | null, checks: () => TableCheck[]) => {
    let checked = 0;
    for (const { rows, comparison } of checks()) {
      for await (const slice of slicesOf(run, realmId, rows)) {
        for (const row of slice) {
          const fault = comparison.add(row);
          if (fault) return fault;
        }
        checked += slice.length;
        onProgress(step, checked, total);
      }
      const fault = comparison.end();
      if (fault) return fault;
    }
    return null;
  };

/** Requests the next page before this one is checked. */
async function* slicesOf<Row>(run: Run, realmId: string, rows: Rows<Row>): AsyncGenerator<Row[]> {
  const request = async (after?: Row) => run(rows.page(realmId, after));
  for (let next = request(); ; ) {
    const page = await next;
    const isLast = page.length < PAGE_SIZE;
    if (!isLast) {
      next = request(page.at(-1));
      // If this page has a fault, nobody awaits the next one.
      next.catch(() => undefined);
    }
    for (let from = 0; from < page.length; from += SLICE) {
      yield page.slice(from, from + SLICE);
      await eventLoopTurn();
    }
    if (isLast) return;
  }
}
