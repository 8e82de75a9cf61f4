import type { ProjectionQuery, Reader, SearchParams } from '../../../domain/queries.ts';
import { FAR_BEHIND } from '../../../domain/rules/projections.ts';
import { Unavailable } from '../../../engine/errors.ts';
import type {
  ProjectionMaintenance,
  ProjectionProgress,
  ProjectionScope,
} from '../../../engine/store.ts';
import { searchMembers } from '../../member-search.ts';
import type { Connection } from '../connection.ts';
import type { ExclusivePool, SharedPool } from '../pools.ts';
import { statement } from '../statement.ts';
import { dailyTotals, realmTotals } from './daily-totals.ts';
import { leaderboard, standing } from './leaderboard-reader.ts';
import {
  discardProjections,
  dropExpiredLeaderboards,
  project,
  type StepResult,
} from './projector.ts';
import { sortedMembers } from './sorted-reader.ts';
import { balanceHistory, balancesAt, memberStatement, realmStatement } from './statement-reader.ts';
import { wordReader } from './word-reader.ts';

const REALMS_PER_PAGE = 50;
/** How long one call projects, not counting the step it is in: a stop waits for it. */
const PROJECT_MS = 500;
/** How long a query waits for the projections: after a long stop they may be far behind. */
const CATCH_UP_TIMEOUT_MS = 5_000;
/**
 * The shortest time between two scans for realms that another node left behind when it ended. A
 * scan is part of a pass over all realms, which a job makes once a minute; the calls that continue
 * the pass do not scan again.
 */
const SCAN_INTERVAL_MS = 30_000;
/** The same after a realm could not be projected, which the next scan finds again. */
const RETRY_MS = 5_000;

const sql = {
  behind: statement<{ realm_id: string; records: number }, [string, number]>(
    `SELECT r.realm_id, r.seq - coalesce(p.seq, 0) AS records
     FROM realms r LEFT JOIN projection_positions p ON p.realm_id = r.realm_id
     WHERE r.realm_id > $1 AND r.seq > coalesce(p.seq, 0) AND r.deleted_at IS NULL
     ORDER BY r.realm_id LIMIT $2`,
  ),
  progress: statement<{ end: number; position: number }, [string]>(
    // Of another journal, everything has to be projected again.
    `SELECT r.seq AS end, CASE WHEN p.seq > r.seq
         OR (p.seq = r.seq AND p.hash <> r.head)
       THEN -1 ELSE coalesce(p.seq, 0) END AS position
     FROM realms r LEFT JOIN projection_positions p ON p.realm_id = r.realm_id
     WHERE r.realm_id = $1 AND r.deleted_at IS NULL`,
  ),
};

/**
 * Answers queries from the projections. What was written before a query is projected before it, so
 * that callers see their own writes, whichever node they ask.
 */
export class Projections {
  readonly reader: Pick<Reader, ProjectionQuery>;
  readonly maintenance: Omit<ProjectionMaintenance, 'removeRealmProjections'> = {
    project: (scope) => this.#projectMany(scope),
    dropExpiredLeaderboards: (before) => dropExpiredLeaderboards(this.#projectors, before),
    rebuildProjections: (realmId) => discardProjections(this.#projectors, realmId),
  };

  readonly #readers: SharedPool;
  readonly #projectors: ExclusivePool;
  readonly #steps = new Map<string, Promise<StepResult>>();
  /** Realms that are behind, as far as this node knows, and by how many records. */
  readonly #behind = new Map<string, number>();
  /** The realms to project in this pass. */
  #queue: string[] = [];
  #scannedAt = Number.NEGATIVE_INFINITY;
  /** The last realm seen by the scan in progress; empty if there is none. */
  #scanCursor = '';

  constructor(readers: SharedPool, projectors: ExclusivePool) {
    this.#readers = readers;
    this.#projectors = projectors;
    const reading =
      <P, T>(read: (connection: Connection, params: P) => Promise<T>) =>
      (params: P): Promise<T> =>
        readers.use((connection) => read(connection, params));
    this.reader = {
      statement: reading(memberStatement),
      balancesAt: reading(balancesAt),
      balanceHistory: reading(balanceHistory),
      transactions: reading(realmStatement),
      leaderboard: reading(leaderboard),
      standing: reading(standing),
      realmTotals: reading(realmTotals),
      dailyTotals: reading(dailyTotals),
      sortedMembers: reading(sortedMembers),
      searchMembers: reading((connection, params: SearchParams) =>
        searchMembers(wordReader(connection), params),
      ),
    };
  }

  /** Reports records that were written to a realm. */
  onWritten(realmId: string, records: number): void {
    this.#addBehind(realmId, records);
  }

  #addBehind(realmId: string, records: number): void {
    this.#behind.set(realmId, (this.#behind.get(realmId) ?? 0) + records);
  }

  /** Projects what was written to the realm so far. */
  async catchUp(realmId: string): Promise<void> {
    // The end as of this query: under load the journal's end keeps moving.
    const { end, position } = await this.#progressOf(realmId);
    const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
    let emptySteps = 0;
    // Two steps in a row that find nothing mean that the journal ends before the realm's last seq.
    // One does not: a shared step may have started before the caller's write.
    for (let at = position; at < end && emptySteps < 2; ) {
      if (performance.now() > deadline) {
        throw new Unavailable('projection-behind', 'the projections are behind the journal');
      }
      const step = await this.#step(realmId, end - at);
      at = step.position;
      emptySteps = step.progress === 'nothing' ? emptySteps + 1 : 0;
    }
  }

  /** Projects the next records. Queries of one realm share a step. */
  #step(realmId: string, behind: number): Promise<StepResult> {
    const running = this.#steps.get(realmId);
    if (running) return running;
    const step = project(this.#projectors, realmId, behind).finally(() => {
      this.#steps.delete(realmId);
    });
    this.#steps.set(realmId, step);
    return step;
  }

  async #progressOf(realmId: string): Promise<{ end: number; position: number }> {
    return (await this.#readers.first(sql.progress, realmId)) ?? { end: 0, position: 0 };
  }

  async #projectMany(scope: ProjectionScope): Promise<ProjectionProgress> {
    if (this.#queue.length === 0) await this.#startPass(scope);
    const deadline = performance.now() + PROJECT_MS;
    const failures: unknown[] = [];
    let steps = 0;
    while (this.#queue.length > 0 && performance.now() < deadline) {
      const realmId = this.#queue.shift() as string;
      steps += 1;
      this.#behind.delete(realmId);
      try {
        // A realm with more records goes to the end of the queue.
        const { progress } = await project(this.#projectors, realmId, null);
        if (progress === 'full') this.#queue.push(realmId);
      } catch (error) {
        // A realm that can't be projected does not hold up the others.
        failures.push(error);
        // A scan in progress reads its next page anyway.
        if (this.#scanCursor === '') {
          this.#scannedAt = performance.now() - SCAN_INTERVAL_MS + RETRY_MS;
        }
      }
    }
    if (failures.length > 0) throw failures[0];
    if (this.#queue.length > 0 || this.#scanCursor !== '') return 'full';
    return steps > 0 ? 'some' : 'nothing';
  }

  async #startPass(scope: ProjectionScope): Promise<void> {
    if (scope === 'all') await this.#scan();
    const atLeast = scope === 'far-behind' ? FAR_BEHIND : 0;
    this.#queue = [...this.#behind].flatMap(([id, records]) => (records >= atLeast ? [id] : []));
  }

  /** Reads a page of the realms that are behind, if a scan is due or in progress. */
  async #scan(): Promise<void> {
    if (performance.now() - this.#scannedAt < SCAN_INTERVAL_MS) return;
    const behind = await this.#readers.query(sql.behind, this.#scanCursor, REALMS_PER_PAGE);
    for (const { realm_id, records } of behind) this.#addBehind(realm_id, records);
    const isDone = behind.length < REALMS_PER_PAGE;
    this.#scanCursor = isDone ? '' : (behind.at(-1)?.realm_id ?? '');
    if (isDone) this.#scannedAt = performance.now();
  }
}
