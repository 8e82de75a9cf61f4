import type { ProjectionQuery, Reader } from '../../../domain/queries.ts';
import { FAR_BEHIND } from '../../../domain/rules/projections.ts';
import { Unavailable } from '../../../engine/errors.ts';
import type { Projecting, ProjectionProgress } from '../../../engine/store.ts';
import { toDomainError } from '../errors.ts';
import type { ExclusivePool, SharedPool } from '../pools.ts';
import { statement } from '../statement.ts';
import { leaderboardReader } from './leaderboard-reader.ts';
import { Projector } from './projector.ts';
import { statementReader } from './statement-reader.ts';

const REALMS_AT_ONCE = 50;
/** How long one go at following lasts, but for the step it is at: a stop waits for it. */
const TURN_MS = 500;
/** How long a reader waits: after a long stop there may be much to follow. */
const PATIENCE_MS = 5_000;
/** How soon realms that could not be followed are looked for again. */
const LOOK_AGAIN_MS = 5_000;
/** How often all realms are looked through for those that a node left behind when it ended. */
const LOOK_ROUND_MS = 30_000;

const sql = {
  behind: statement<{ realm_id: string; records: number }, [string, number]>(
    `SELECT r.realm_id, r.seq - coalesce(f.seq, 0) AS records
     FROM realms r LEFT JOIN projection_positions f ON f.realm_id = r.realm_id
     WHERE r.realm_id > $1 AND r.seq > coalesce(f.seq, 0) ORDER BY r.realm_id LIMIT $2`,
  ),
  ends: statement<{ end: number; position: number }, [string]>(
    `SELECT r.seq AS end, coalesce(f.seq, 0) AS position
     FROM realms r LEFT JOIN projection_positions f ON f.realm_id = r.realm_id
     WHERE r.realm_id = $1`,
  ),
};

interface Step {
  followed: ProjectionProgress;
  /** How far the projections are now. */
  position: number;
}

/**
 * Answers from the projections, which it first brings up to what had been written when it was
 * asked: a caller sees its own writes, whichever node it asks.
 */
export class Projections {
  readonly reader: Pick<Reader, ProjectionQuery>;
  readonly projecting: Projecting = {
    project: (whom) => this.#projectMany(whom),
    dropOldLeaderboards: (before) => this.#projector.dropOldLeaderboards(before).catch(fail),
  };

  readonly #readers: SharedPool;
  readonly #projector: Projector;
  readonly #catchingUp = new Map<string, Promise<Step>>();
  /** Realms that this node wrote to and has not followed since, and by how many records. */
  readonly #written = new Map<string, number>();
  /** Those that are still to have their turn in this round. */
  #line: string[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lookedTo = '';

  constructor(readers: SharedPool, leases: ExclusivePool) {
    this.#readers = readers;
    this.#projector = new Projector(leases);
    const statements = statementReader(readers);
    const boards = leaderboardReader(readers);
    const current = async <T>(realmId: string, answer: () => Promise<T>): Promise<T> => {
      await this.#catchUp(realmId);
      return answer();
    };
    this.reader = {
      statement: (params) => current(params.realmId, () => statements.statement(params)),
      balancesAt: (params) => current(params.realmId, () => statements.balancesAt(params)),
      transactions: (params) => current(params.realmId, () => statements.transactions(params)),
      leaderboard: (params) => current(params.realmId, () => boards.leaderboard(params)),
      standing: (params) => current(params.realmId, () => boards.standing(params)),
    };
  }

  noteWritten(realmId: string, records: number): void {
    this.#written.set(realmId, (this.#written.get(realmId) ?? 0) + records);
  }

  async #catchUp(realmId: string): Promise<void> {
    const { end, position } = await this.#ends(realmId);
    // Its own end, not that of the moment: while others write, that is always further on.
    const deadline = performance.now() + PATIENCE_MS;
    let inVain = 0;
    // Where steps find nothing, the journal ends before its realm says so. The first of them may
    // have begun before what this caller wrote.
    for (let at = position; at < end && inVain < 2; ) {
      if (performance.now() > deadline)
        throw new Unavailable('projection-behind', 'statements are being made anew');
      const step = await this.#step(realmId);
      at = step.position;
      inVain = step.followed === 'nothing' ? inVain + 1 : 0;
    }
  }

  /**
   * Takes the next records, and answers how far the projections are then. Whoever comes while that
   * is under way shares it: it may have begun before what they wrote, but the next one has not.
   */
  #step(realmId: string): Promise<Step> {
    const underWay = this.#catchingUp.get(realmId);
    if (underWay) return underWay;
    const step = this.#take(realmId).finally(() => this.#catchingUp.delete(realmId));
    this.#catchingUp.set(realmId, step);
    return step;
  }

  async #take(realmId: string): Promise<Step> {
    const followed = await this.#projector.project(realmId, true).catch(fail);
    const { position } = await this.#ends(realmId);
    return { followed, position };
  }

  async #ends(realmId: string): Promise<{ end: number; position: number }> {
    const [found] = await this.#readers.use((connection) => connection.query(sql.ends, realmId));
    return found ?? { end: 0, position: 0 };
  }

  async #projectMany(whom: 'all' | 'far'): Promise<ProjectionProgress> {
    if (this.#line.length === 0) await this.#beginRound(whom);
    const deadline = performance.now() + TURN_MS;
    const failures: unknown[] = [];
    let turns = 0;
    while (this.#line.length > 0 && performance.now() < deadline) {
      const realmId = this.#line.shift() as string;
      turns += 1;
      this.#written.delete(realmId);
      try {
        // There may be more; it goes to the end of the line.
        if ((await this.#projector.project(realmId, false)) === 'full') this.#line.push(realmId);
      } catch (error) {
        // One realm that can't be followed does not hold up the others.
        failures.push(error);
        // In the middle of a look through all realms its next page is due anyway.
        if (this.#lookedTo === '') {
          this.#lookedAt = performance.now() - LOOK_ROUND_MS + LOOK_AGAIN_MS;
        }
      }
    }
    if (failures.length > 0) throw toDomainError(failures[0]);
    if (this.#line.length > 0 || this.#lookedTo !== '') return 'full';
    return turns > 0 ? 'some' : 'nothing';
  }

  async #beginRound(whom: 'all' | 'far'): Promise<void> {
    if (whom === 'all') await this.#lookRound();
    const atLeast = whom === 'far' ? FAR_BEHIND : 0;
    this.#line = [...this.#written].flatMap(([id, records]) => (records >= atLeast ? [id] : []));
  }

  /** Looks for realms that are behind, a page at a time; most of the time there is no need. */
  async #lookRound(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_ROUND_MS) return;
    const behind = await this.#readers.use((connection) =>
      connection.query(sql.behind, this.#lookedTo, REALMS_AT_ONCE),
    );
    for (const { realm_id, records } of behind) this.noteWritten(realm_id, records);
    const isAll = behind.length < REALMS_AT_ONCE;
    this.#lookedTo = isAll ? '' : (behind.at(-1)?.realm_id ?? '');
    if (isAll) this.#lookedAt = performance.now();
  }
}

function fail(error: unknown): never {
  throw toDomainError(error);
}
