import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { Reversal } from '../domain/facts.ts';
import type { PointKind } from '../domain/model.ts';
import {
  Auditor,
  type BalanceToCheck,
  type Comparison,
  type Fault,
  type Verdict,
  type VerificationStep,
} from '../domain/rules/audit.ts';
import type { DailyTotals } from '../domain/rules/daily-totals.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import {
  type EntryRow,
  type MovementRow,
  type ProjectedPosition,
  ProjectionAuditor,
  type ScoreRow,
} from '../domain/rules/projection-audit.ts';
import type { RankBucket } from '../domain/rules/ranks.ts';
import { type MemberToCheck, TableAuditor } from '../domain/rules/table-audit.ts';

/** Rows per page. */
const PAGE_SIZE = 2_000;
/**
 * Rows checked between two turns of the event loop. On PostgreSQL this thread also serves HTTP, and
 * this many records take it about two milliseconds.
 */
const SLICE = 200;

type Page<Row> = Row[] | Promise<Row[]>;
type Pages<Row> = (after: Row | undefined, limit: number) => Page<Row>;

/** A realm at one instant, whatever is written during the check. Rows are in order of their key. */
export interface Snapshot {
  realmId: string;
  seq: number;
  head: string;
  clockAt: number;
  records: Pages<JournalRecord>;
  balances: Pages<BalanceToCheck>;
  members: Pages<MemberToCheck>;
  kinds(): Page<PointKind>;
  reversals: Pages<Reversal>;
  /** Of the same instant or an earlier one; null if nothing is projected. */
  projections: ProjectedSnapshot | null;
}

export interface ProjectedSnapshot {
  position: ProjectedPosition;
  leaderboards(): Page<string>;
  entries(kind: string): Pages<EntryRow>;
  movements(kind: string): Pages<MovementRow>;
  standings(leaderboard: string): Pages<ScoreRow>;
  ranking(leaderboard: string): Pages<ScoreRow>;
  buckets(leaderboard: string): Page<RankBucket>;
  days: Pages<DailyTotals>;
}

export interface Watch {
  /** Called after each slice; throws to end the check. */
  onProgress(step: VerificationStep, checked: number, total: number | null): void;
}

/** Checks a realm; the verdict names the first fault. */
export async function verifySnapshot(snapshot: Snapshot, watch: Watch): Promise<Verdict> {
  const { realmId, projections, seq, head } = snapshot;
  const auditor = new Auditor(realmId);
  const tables = new TableAuditor();
  const now = Math.max(snapshot.clockAt, Date.now());
  const projected = projections && new ProjectionAuditor(projections.position, now);
  const count = rowCounter(watch, 'journal', seq);
  const fault =
    (await eachSlice(snapshot.records, count, (slice) => {
      const wrong = firstFault(slice, (record) => auditor.checkRecord(record));
      if (wrong) return wrong;
      for (const record of slice) tables.addRecord(record);
      projected?.addRecords(slice);
      return null;
    })) ??
    auditor.checkEnd(seq, head) ??
    auditor.checkParts();
  const members = tables.memberCount;
  const later =
    fault ??
    (await checkTables(auditor, tables, snapshot, watch)) ??
    (projected && projections && (await checkProjections(projected, projections, watch)));
  const { transactions, records } = auditor.verified;
  if (later) return { ok: false, transactions, records, fault: later };
  return { ok: true, transactions, records, members, head };
}

async function checkTables(
  auditor: Auditor,
  tables: TableAuditor,
  snapshot: Snapshot,
  watch: Watch,
): Promise<Fault | null> {
  const count = rowCounter(watch, 'tables', null);
  return (
    (await eachRow(snapshot.balances, count, (row) => auditor.checkBalance(row))) ??
    auditor.checkMissingBalances() ??
    (await eachRow(snapshot.members, count, (row) => tables.checkMember(row))) ??
    firstFault(await snapshot.kinds(), (row) => tables.checkKind(row)) ??
    (await eachRow(snapshot.reversals, count, (row) => tables.checkReversal(row))) ??
    tables.checkMissing()
  );
}

async function checkProjections(
  auditor: ProjectionAuditor,
  projected: ProjectedSnapshot,
  watch: Watch,
): Promise<Fault | null> {
  // Projections of another journal are rebuilt before anyone reads them.
  if (!auditor.isOfThisJournal) return null;
  const count = rowCounter(watch, 'projections', null);
  const compare = async <Row>(comparison: Comparison<Row>, pages: Pages<Row>) =>
    (await eachRow(pages, count, (row) => comparison.add(row))) ?? comparison.end();
  for (const kind of auditor.kinds) {
    const fault =
      (await compare(auditor.entries(kind), projected.entries(kind))) ??
      (await compare(auditor.movements(kind), projected.movements(kind)));
    if (fault) return fault;
  }
  const wrongDay = await compare(auditor.days(), projected.days);
  if (wrongDay) return wrongDay;
  for (const name of auditor.leaderboards(await projected.leaderboards())) {
    const ranking = auditor.ranking(name, await projected.buckets(name));
    const fault =
      (await compare(auditor.standings(name), projected.standings(name))) ??
      (await compare(ranking, projected.ranking(name)));
    if (fault) return fault;
  }
  return null;
}

type RowCounter = (rows: number) => void;

function rowCounter(watch: Watch, step: VerificationStep, total: number | null): RowCounter {
  let checked = 0;
  return (rows) => {
    checked += rows;
    watch.onProgress(step, checked, total);
  };
}

const eachRow = <Row>(
  pages: Pages<Row>,
  count: RowCounter,
  check: (row: Row) => Fault | null,
): Promise<Fault | null> => eachSlice(pages, count, (slice) => firstFault(slice, check));

function firstFault<Row>(rows: Row[], check: (row: Row) => Fault | null): Fault | null {
  for (const row of rows) {
    const fault = check(row);
    if (fault) return fault;
  }
  return null;
}

/** Requests the next page before it checks this one. Returns the first fault. */
async function eachSlice<Row>(
  pages: Pages<Row>,
  count: RowCounter,
  check: (slice: Row[]) => Fault | null,
): Promise<Fault | null> {
  const request = async (after?: Row) => pages(after, PAGE_SIZE);
  for (let next = request(); ; ) {
    const page = await next;
    const isLast = page.length < PAGE_SIZE;
    if (!isLast) {
      next = request(page.at(-1));
      // If this page has a fault, nobody awaits the next one.
      next.catch(() => undefined);
    }
    for (let from = 0; from < page.length; from += SLICE) {
      const slice = page.slice(from, from + SLICE);
      const fault = check(slice);
      if (fault) return fault;
      count(slice.length);
      await eventLoopTurn();
    }
    if (isLast) return null;
  }
}
