import type { DatabaseSync } from 'node:sqlite';
import type { ProjectionQuery, Reader } from '../../../domain/queries.ts';
import { Unavailable } from '../../../engine/errors.ts';
import type { Projecting } from '../../../engine/store.ts';
import { isDamage } from './database.ts';
import { leaderboardReader } from './leaderboard-reader.ts';
import { Projector } from './projector.ts';
import { statementReader } from './statement-reader.ts';

const answersFrom = (db: DatabaseSync) => ({ ...statementReader(db), ...leaderboardReader(db) });

interface Opened {
  db: DatabaseSync;
  projector: Projector;
  answers: ReturnType<typeof answersFrom>;
}

/** How long a question waits for the journal to be followed; the jobs go on with it. */
const PATIENCE_MS = 5_000;

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/**
 * Answers from the projections, which it first brings up to what had been written when it was
 * asked: a caller sees its own writes. Opened when first needed: most of the command line never
 * does.
 */
export class Projections {
  readonly reader: Pick<Reader, ProjectionQuery> = {
    statement: (params) => this.#current(params.realmId, (answers) => answers.statement(params)),
    balancesAt: (params) => this.#current(params.realmId, (answers) => answers.balancesAt(params)),
    transactions: (params) =>
      this.#current(params.realmId, (answers) => answers.transactions(params)),
    leaderboard: (params) =>
      this.#current(params.realmId, (answers) => answers.leaderboard(params)),
    standing: (params) => this.#current(params.realmId, (answers) => answers.standing(params)),
  };

  readonly projecting: Projecting = {
    project: (whom) => this.#healing(() => this.#settled().projector.projectMany(whom)),
    dropOldLeaderboards: (before) =>
      this.#healing(() => this.#settled().projector.dropOldLeaderboards(before)),
  };

  readonly #open: () => DatabaseSync;
  readonly #discard: (() => void) | null;
  #opened: Opened | null = null;
  #isGrouped = false;

  /** Without `discard` there is no file: damage in memory is nobody's but ours. */
  constructor(open: () => DatabaseSync, discard: (() => void) | null = null) {
    this.#open = open;
    this.#discard = discard;
  }

  /** Finds out now what would keep the first question from being answered. */
  open(): void {
    this.#ready();
  }

  /** What is asked within the work is read in one transaction, as far as it need not wait. */
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

  #current<T>(realmId: string, answer: (answers: Opened['answers']) => T): T | Promise<T> {
    const reply = () => this.#read(({ answers }) => answer(answers));
    const isBehind = this.#read(({ projector }) => projector.isBehind(realmId));
    return isBehind ? this.#catchUp(realmId).then(reply) : reply();
  }

  /** What is damaged is made anew: the journal has it all. */
  #healing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!this.#discard || !isDamage(error)) throw error;
      this.#opened?.db.close();
      this.#opened = null;
      this.#discard();
      throw new Unavailable('projection-behind', 'the projections were damaged and are made anew', {
        cause: error,
      });
    }
  }

  /** Others have their turn between two steps: after a long stop there may be much to follow. */
  async #catchUp(realmId: string): Promise<void> {
    const end = this.#settled().projector.endOf(realmId);
    const deadline = performance.now() + PATIENCE_MS;
    const step = () => {
      const { projector } = this.#settled();
      return projector.project(realmId) > 0 && projector.positionIn(realmId) < end;
    };
    while (this.#healing(step)) {
      if (performance.now() > deadline)
        throw new Unavailable('projection-behind', 'statements are being made anew');
      await turn();
    }
  }

  /** One state of all tables for one answer, and half the time of statements by themselves. */
  #read<T>(work: (opened: Opened) => T): T {
    return this.#healing(() => {
      const opened = this.#ready();
      if (!opened.db.isTransaction) opened.db.exec('BEGIN');
      try {
        return work(opened);
      } finally {
        if (!this.#isGrouped) this.#settled();
      }
    });
  }

  /** The projections, with no transaction open. */
  #settled(): Opened {
    const opened = this.#ready();
    if (opened.db.isTransaction) opened.db.exec('COMMIT');
    return opened;
  }

  #ready(): Opened {
    if (!this.#opened) {
      const db = this.#open();
      this.#opened = { db, projector: new Projector(db), answers: answersFrom(db) };
    }
    return this.#opened;
  }
}
