import type { Logger } from 'pino';
import { LEADERBOARD_KEPT_MS } from './domain/rules/projections.ts';
import { DAY_MS, HOUR_MS } from './domain/rules/time.ts';
import { Unavailable } from './engine/errors.ts';
import type { Ledger } from './engine/ledger.ts';
import type { Projecting } from './engine/store.ts';
import type { KeyRing } from './http/key-ring.ts';

const HOLDS_AT_ONCE = 500;
const PROJECT_ALL_MS = 60_000;

/** What the service does by itself, from time to time. Nothing that counts waits for it. */
export interface Jobs {
  /** No job begins any more; those under way are waited for. */
  stop(): Promise<void>;
}

export function startJobs(
  ledger: Ledger,
  keyRing: KeyRing,
  idempotencyDays: number,
  logger: Logger,
): Jobs {
  const { housekeeping } = ledger;
  const jobs = [
    new Job('saving the last use of keys', 15_000, logger, async () => {
      await keyRing.saveUses();
      return false;
    }),
    new Job('following the journals', 250, logger, projectJournals(housekeeping)),
    new Job('recording expired holds', 1_000, logger, () => recordExpiredHolds(ledger)),
    new Job('forgetting old answers', HOUR_MS, logger, async () => {
      const before = Date.now() - idempotencyDays * DAY_MS;
      return (await housekeeping.expireAnswers(before)) > 0;
    }),
    // Kept for an hour past their end, so that a late or second use is told from an unknown one.
    new Job('forgetting old challenges', HOUR_MS, logger, async () => {
      return (await housekeeping.expireChallenges(Date.now() - HOUR_MS)) > 0;
    }),
    new Job('dropping old boards', HOUR_MS, logger, async () => {
      return (await housekeeping.dropOldLeaderboards(Date.now() - LEADERBOARD_KEPT_MS)) > 0;
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/**
 * Journals that are far behind are followed soon, the others together from time to time: readers
 * follow what they need by themselves, and many records at once are cheaper.
 */
function projectJournals(projecting: Projecting): () => Promise<boolean> {
  let whom: 'all' | 'far' = 'all';
  let allSince = Number.NEGATIVE_INFINITY;
  return async () => {
    const isFull = (await projecting.project(whom)) === 'full';
    if (isFull) return true;
    const now = performance.now();
    if (whom === 'all') allSince = now;
    whom = now - allSince >= PROJECT_ALL_MS ? 'all' : 'far';
    return false;
  };
}

/** What is expected of a busy or missing storage is told in a line, a fault of ours in full. */
export const causeOf = (error: Error): { reason: string } | { err: Error } =>
  error instanceof Unavailable ? { reason: error.message } : { err: error };

/** One piece of work, done again and again; `true` asks for another turn at once. */
class Job {
  #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(name: string, every: number, logger: Logger, work: () => Promise<boolean>) {
    let told = '';
    this.#timer = setInterval(() => {
      this.#running ??= this.#run(work)
        .then(() => {
          told = '';
        })
        .catch((error: Error) => {
          // The same failure again and again is one thing to know, and an outage is told by itself.
          const isOutage = error instanceof Unavailable && error.reason === 'storage-unavailable';
          if (told === error.message || isOutage) return;
          told = error.message;
          logger.warn(causeOf(error), `${name} failed; it will be tried again`);
        })
        .finally(() => {
          this.#running = null;
        });
    }, every).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(work: () => Promise<boolean>): Promise<void> {
    while (!this.#stopped && (await work()));
  }
}

/** An expired hold is over without this; the journal should say so all the same. */
async function recordExpiredHolds(ledger: Ledger): Promise<boolean> {
  const due = await ledger.query('dueHolds', { now: Date.now(), limit: HOLDS_AT_ONCE });
  const envelope = { actor: 'service', idempotency: null };
  await Promise.all(
    due.map((hold) => ledger.execute({ ...envelope, ...hold, type: 'hold.expire' })),
  );
  return due.length === HOLDS_AT_ONCE;
}
