import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import type { ProjectionQuery, QueryParams, QueryResult, Reader } from '../../../domain/queries.ts';
import { NO_MEMBER } from '../../../domain/rules/projections.ts';
import { Unavailable } from '../../../engine/errors.ts';
import type { ProjectionMaintenance } from '../../../engine/store.ts';
import { searchMembers, type WordIndex } from '../../member-search.ts';
import { type SortedIndex, sortedMembers } from '../../sorted-members.ts';
import { isDamaged, isDiskFailure } from '../errors.ts';
import { readerOf } from './answers.ts';
import { ProjectionsBehind, stillBehind } from './behind.ts';
import { dailyTotalsReader } from './daily-totals.ts';
import { REBUILD_INTERVAL_MS } from './database.ts';
import { leaderboardReader } from './leaderboard-reader.ts';
import { Projector } from './projector.ts';
import type { RealmBehind } from './projector-statements.ts';
import { sortedReader } from './sorted-reader.ts';
import { statementReader } from './statement-reader.ts';
import { RECORDS_BESIDE_READERS } from './step.ts';
import { wordReader } from './word-reader.ts';

/** The answers as the tables are: the caller brings them up to date first. */
type Answers = Pick<Reader, ProjectionQuery>;

/** The file, which can be removed at any time, also by another process. */
interface ProjectionsFile {
  /** Changes when the file is replaced; null if there is none. */
  identity(): bigint | null;
  remove(): void;
}

interface Opened {
  db: DatabaseSync;
  identity: bigint | null;
  projector: Projector;
  answers: Answers;
  words: ReturnType<typeof wordReader>;
  sorted: ReturnType<typeof sortedReader>;
}

/** How long a query waits for the projections; the jobs continue with them. */
const CATCH_UP_TIMEOUT_MS = 5_000;
/** After a read, others are expected for so long. */
const READERS_STAY_MS = 1_000;

/** What a query has already waited for. */
interface UpTo {
  end?: number;
}

/**
 * Answers queries from the projections, after projecting what was written before the query: callers
 * see their own writes. The file is opened on first use, since most of the command line needs none.
 */
export class Projections {
  readonly reader = readerOf((name, params) => this.#answer(name, params));
  /** Throws `ProjectionsBehind` instead of waiting. */
  readonly immediateReader = readerOf((name, params) => this.#answerNow(name, params));

  readonly maintenance: ProjectionMaintenance = {
    project: (scope) => {
      this.#closeIfRemoved();
      const hasReaders = performance.now() - this.#lastReadAt < READERS_STAY_MS;
      return this.#healing(() => this.#settled().projector.projectMany(scope, hasReaders));
    },
    dropExpiredLeaderboards: (before) =>
      this.#healing(() => this.#settled().projector.dropExpiredLeaderboards(before)),
    rebuildProjections: (realmId) =>
      this.#healing(() => this.#settled().projector.discard(realmId)),
    removeRealmProjections: (realmId) =>
      this.#healing(() => this.#settled().projector.removeRealm(realmId)),
  };

  /** Each part of a search is a read of its own, since other work runs in between. */
  readonly #words: WordIndex = {
    counts: (...args) => this.#read(({ words }) => words.counts(...args)),
    words: (...args) => this.#read(({ words }) => words.words(...args)),
    members: (...args) => this.#read(({ words }) => words.members(...args)),
  };

  readonly #sorted: SortedIndex = {
    keys: (params) => this.#read(({ sorted }) => sorted(params)),
    members: this.#words.members,
  };

  readonly #openDatabase: () => DatabaseSync;
  readonly #file: ProjectionsFile | null;
  #opened: Opened | null = null;
  /** The next step of each realm that callers wait for. */
  readonly #steps = new Map<string, Promise<number>>();
  #lastStep: Promise<void> = Promise.resolve();
  #isGrouped = false;
  #lastReadAt = Number.NEGATIVE_INFINITY;
  #discardedAt = Number.NEGATIVE_INFINITY;
  /** Why a realm's last step could not be stored. The next one that is stored ends them all. */
  readonly #diskFailures = new Map<string, unknown>();

  /** Without a file, damage in memory is a bug, and is thrown as it is. */
  constructor(open: () => DatabaseSync, file: ProjectionsFile | null = null) {
    this.#openDatabase = open;
    this.#file = file;
  }

  /** Opens the file, if it is not open: called at the start, so that a bad file fails the start. */
  open(): Opened {
    if (!this.#opened) {
      const db = this.#openDatabase();
      const answers: Answers = {
        ...statementReader(db),
        ...leaderboardReader(db),
        ...dailyTotalsReader(db),
        searchMembers: (params) => searchMembers(this.#words, params),
        sortedMembers: (params) => sortedMembers(this.#sorted, params),
      };
      const identity = this.#file?.identity() ?? null;
      const projector = new Projector(db);
      const [words, sorted] = [wordReader(db), sortedReader(db)];
      this.#opened = { db, identity, projector, answers, words, sorted };
    }
    return this.#opened;
  }

  /** Queries made within the work share one read transaction, unless they have to catch up. */
  together(work: () => void): void {
    this.#isGrouped = true;
    try {
      work();
    } finally {
      this.#isGrouped = false;
      if (this.#opened) this.#settled();
    }
  }

  close(): void {
    this.#opened?.db.close();
  }

  /**
   * Projects the realm up to the seq. All callers that wait for a realm share its steps, and only
   * one step is made in a turn of the event loop, so that other calls are answered in between.
   */
  async catchUp({ realmId, end }: { realmId: string; end: number }): Promise<void> {
    const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
    try {
      while (await this.#step(realmId, end)) {
        if (performance.now() > deadline) throw stillBehind();
      }
    } catch (error) {
      // Then the query is answered without what cannot be stored, if possible.
      if (!this.#diskFailures.has(realmId)) throw error;
    }
  }

  #answer<N extends ProjectionQuery>(
    name: N,
    params: QueryParams<N>,
  ): QueryResult<N> | Promise<QueryResult<N>> {
    try {
      return this.#answerNow(name, params);
    } catch (error) {
      if (!(error instanceof ProjectionsBehind)) throw error;
      const { end } = error;
      return this.catchUp({ realmId: params.realmId, end }).then(() =>
        this.#answerNow(name, { ...params, end }),
      );
    }
  }

  #answerNow<N extends ProjectionQuery>(
    name: N,
    params: QueryParams<N> & UpTo,
  ): QueryResult<N> | Promise<QueryResult<N>> {
    const { realmId } = params;
    const behind = this.#read(({ projector }) => projector.behind(realmId));
    try {
      if (behind) this.#projectNow(behind, params.end);
    } catch (error) {
      // To wait for the projections is to try again to store them.
      if (error instanceof ProjectionsBehind || !this.#diskFailures.has(realmId)) throw error;
      return this.#preview(name, params);
    }
    return this.#read(({ answers }) => answers[name](params));
  }

  /** Answers from what cannot be stored. */
  #preview<N extends ProjectionQuery>(
    name: N,
    params: QueryParams<N>,
  ): QueryResult<N> | Promise<QueryResult<N>> {
    const failure = this.#diskFailures.get(params.realmId);
    // These read in several turns of the event loop, between which others are served.
    if (name === 'searchMembers' || name === 'sortedMembers') throw failure;
    const { projector, answers } = this.#settled();
    const answer = projector.preview(params.realmId, () => answers[name](params));
    if (answer === undefined) throw failure;
    return answer;
  }

  /** Projects the realm up to the seq if one step suffices, as it does for one's own writes. */
  #projectNow(behind: RealmBehind, waitedFor: number | undefined): void {
    const { realm_id: realmId, seq, matches } = behind;
    const end = waitedFor ?? behind.end;
    if (matches && seq >= end) return;
    const isLong = end - seq > RECORDS_BESIDE_READERS || behind.enrolled_to !== NO_MEMBER;
    const isShared = waitedFor === undefined && this.#steps.has(realmId);
    if (!isLong && !isShared && this.#healing(() => this.#projectStep(realmId)) >= end) return;
    throw waitedFor === undefined ? new ProjectionsBehind(end) : stillBehind();
  }

  /** Removes projections that are damaged: they are rebuilt from the journal. */
  #healing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamaged(error) || !this.#discardFile()) throw error;
      const message = 'the projections were damaged and are being rebuilt';
      throw new Unavailable('projection-behind', message, { cause: error });
    }
  }

  /**
   * Returns false if there is no file, or if it was discarded not long ago: damage that is back so
   * soon is not in the projections but in the main database file or the disk, and rebuilding them
   * again and again would not help.
   */
  #discardFile(): boolean {
    const now = performance.now();
    if (!this.#file || now - this.#discardedAt < REBUILD_INTERVAL_MS) return false;
    this.#discardedAt = now;
    this.#opened?.db.close();
    this.#opened = null;
    this.#file.remove();
    return true;
  }

  /** A connection to a file that was removed would go on with what nobody else sees. */
  #closeIfRemoved(): void {
    if (!this.#opened || this.#opened.identity === (this.#file?.identity() ?? null)) return;
    this.#opened.db.close();
    this.#opened = null;
  }

  /** Makes the realm's next step; returns whether the realm is still behind the seq. */
  async #step(realmId: string, end: number): Promise<boolean> {
    const step = this.#steps.getOrInsertComputed(realmId, () => this.#nextStep(realmId));
    return (await step) < end;
  }

  /** Resolves with the realm's position after the step. */
  #nextStep(realmId: string): Promise<number> {
    const step = this.#lastStep.then(async () => {
      await eventLoopTurn();
      this.#steps.delete(realmId);
      return this.#healing(() => this.#projectStep(realmId));
    });
    this.#lastStep = step.then(
      () => undefined,
      () => undefined,
    );
    return step;
  }

  /** Returns the position after the step; infinite if there is nothing more to project. */
  #projectStep(realmId: string): number {
    const { projector } = this.#settled();
    this.#diskFailures.delete(realmId);
    try {
      if (projector.project(realmId) === 0) return Number.POSITIVE_INFINITY;
    } catch (error) {
      if (isDiskFailure(error)) this.#diskFailures.set(realmId, error);
      throw error;
    }
    this.#diskFailures.clear();
    return projector.behind(realmId)?.seq ?? Number.POSITIVE_INFINITY;
  }

  /**
   * A transaction gives a query one state of all tables, and statements in it take half the time of
   * statements by themselves.
   */
  #read<T>(work: (opened: Opened) => T): T {
    this.#lastReadAt = performance.now();
    return this.#healing(() => {
      const opened = this.open();
      if (!opened.db.isTransaction) opened.db.exec('BEGIN');
      try {
        return work(opened);
      } finally {
        if (!this.#isGrouped) this.#settled();
      }
    });
  }

  /** The projections without an open transaction. */
  #settled(): Opened {
    const opened = this.open();
    if (opened.db.isTransaction) opened.db.exec('COMMIT');
    return opened;
  }
}
