import type { DatabaseSync } from 'node:sqlite';
import type { ProjectionQuery, QueryParams, QueryResult, Reader } from '../../../domain/queries.ts';
import { Unavailable } from '../../../engine/errors.ts';
import type { ProjectionMaintenance } from '../../../engine/store.ts';
import { isDamage } from './database.ts';
import { leaderboardReader } from './leaderboard-reader.ts';
import { Projector } from './projector.ts';
import { statementReader } from './statement-reader.ts';

/** The answers as the tables are: the caller brings them up to date first. */
type Answers = { [N in ProjectionQuery]: (params: QueryParams<N>) => QueryResult<N> };

interface Opened {
  db: DatabaseSync;
  projector: Projector;
  answers: Answers;
}

/** How long a query waits for the projections; the jobs continue with them. */
const CATCH_UP_TIMEOUT_MS = 5_000;

const yieldToOthers = (): Promise<void> => new Promise((next) => setImmediate(next));

/**
 * Answers queries from the projections, after projecting what was written before the query: callers
 * see their own writes. The file is opened on first use, since most of the command line needs none.
 */
export class Projections {
  readonly reader: Pick<Reader, ProjectionQuery> = {
    statement: (params) => this.#answer('statement', params),
    balancesAt: (params) => this.#answer('balancesAt', params),
    transactions: (params) => this.#answer('transactions', params),
    leaderboard: (params) => this.#answer('leaderboard', params),
    standing: (params) => this.#answer('standing', params),
  };

  readonly maintenance: ProjectionMaintenance = {
    project: (scope) => this.#healing(() => this.#settled().projector.projectMany(scope)),
    dropExpiredLeaderboards: (before) =>
      this.#healing(() => this.#settled().projector.dropExpiredLeaderboards(before)),
  };

  readonly #openDatabase: () => DatabaseSync;
  readonly #discard: (() => void) | null;
  #opened: Opened | null = null;
  #isGrouped = false;

  /** Without `discard` there is no file: damage in memory is a bug, and is thrown as it is. */
  constructor(open: () => DatabaseSync, discard: (() => void) | null = null) {
    this.#openDatabase = open;
    this.#discard = discard;
  }

  /** Opens the file, if it is not open: called at the start, so that a bad file fails the start. */
  open(): Opened {
    if (!this.#opened) {
      const db = this.#openDatabase();
      const answers = { ...statementReader(db), ...leaderboardReader(db) };
      this.#opened = { db, projector: new Projector(db), answers };
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

  #answer<N extends ProjectionQuery>(
    name: N,
    params: QueryParams<N>,
  ): QueryResult<N> | Promise<QueryResult<N>> {
    const { realmId } = params;
    const reply = () => this.#read(({ answers }) => answers[name](params));
    const behind = this.#read(({ projector }) => projector.behind(realmId));
    return behind ? this.#catchUp(realmId, behind.end).then(reply) : reply();
  }

  /** Removes projections that are damaged: they are rebuilt from the journal. */
  #healing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!this.#discard || !isDamage(error)) throw error;
      this.#opened?.db.close();
      this.#opened = null;
      this.#discard();
      const message = 'the projections were damaged and are being rebuilt';
      throw new Unavailable('projection-behind', message, { cause: error });
    }
  }

  /** Yields to other work between steps: after a long stop there may be much to project. */
  async #catchUp(realmId: string, end: number): Promise<void> {
    const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
    const step = () => {
      const { projector } = this.#settled();
      return projector.project(realmId) > 0 && (projector.behind(realmId)?.seq ?? end) < end;
    };
    while (this.#healing(step)) {
      if (performance.now() > deadline) {
        throw new Unavailable('projection-behind', 'the projections are behind the journal');
      }
      await yieldToOthers();
    }
  }

  /**
   * A transaction gives a query one state of all tables, and statements in it take half the time of
   * statements by themselves.
   */
  #read<T>(work: (opened: Opened) => T): T {
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
