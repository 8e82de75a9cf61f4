import type { Logger } from 'pino';
import { LEADERBOARD_RETENTION_MS } from './domain/rules/projections.ts';
import { DAY_MS, HOUR_MS } from './domain/rules/time.ts';
import { Unavailable } from './engine/errors.ts';
import type { Ledger } from './engine/ledger.ts';
import type { ProjectionMaintenance, ProjectionScope } from './engine/store.ts';
import type { KeyRing } from './http/key-ring.ts';

const HOLDS_AT_ONCE = 500;
const PROJECT_ALL_MS = 60_000;

/** The service's periodic background work. No caller waits for it. */
export interface Jobs {
  /** Starts no more jobs and waits for those that are running. */
  stop(): Promise<void>;
}

interface Job {
  /** Completes the sentence "… failed; will retry". */
  name: string;
  everyMs: number;
  /** Runs again at once if the result is truthy, such as a number of rows removed. */
  run(): unknown;
}

export function startJobs(
  ledger: Ledger,
  keyRing: KeyRing,
  idempotencyDays: number,
  logger: Logger,
): Jobs {
  const { housekeeping } = ledger;
  const before = (ageMs: number) => Date.now() - ageMs;
  const jobs: Job[] = [
    { name: 'saving key usage', everyMs: 15_000, run: () => keyRing.saveUses() },
    { name: 'projecting journals', everyMs: 250, run: journalProjection(housekeeping) },
    { name: 'recording expired holds', everyMs: 1_000, run: () => recordExpiredHolds(ledger) },
    {
      name: 'deleting old idempotency keys',
      everyMs: HOUR_MS,
      run: () => housekeeping.expireAnswers(before(idempotencyDays * DAY_MS)),
    },
    {
      // An hour late, so that a late or second use can be told from an unknown challenge.
      name: 'deleting expired challenges',
      everyMs: HOUR_MS,
      run: () => housekeeping.expireChallenges(before(HOUR_MS)),
    },
    {
      name: 'dropping expired leaderboards',
      everyMs: HOUR_MS,
      run: () => housekeeping.dropExpiredLeaderboards(before(LEADERBOARD_RETENTION_MS)),
    },
  ];
  const runners = jobs.map((job) => new JobRunner(job, logger));
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}

/**
 * Realms that are far behind are projected soon, the others together every minute: queries project
 * what they need themselves, and many records at once are cheaper.
 */
function journalProjection(projections: ProjectionMaintenance): () => Promise<boolean> {
  let scope: ProjectionScope = 'all';
  let lastAllAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if ((await projections.project(scope)) === 'full') return true;
    const now = performance.now();
    if (scope === 'all') lastAllAt = now;
    scope = now - lastAllAt >= PROJECT_ALL_MS ? 'all' : 'far-behind';
    return false;
  };
}

/** An expired hold is over without its record; the journal should contain it all the same. */
async function recordExpiredHolds(ledger: Ledger): Promise<boolean> {
  const due = await ledger.query('dueHolds', { now: Date.now(), limit: HOLDS_AT_ONCE });
  const envelope = { actor: 'service', idempotency: null };
  await Promise.all(
    due.map((hold) => ledger.execute({ ...envelope, ...hold, type: 'hold.expire' })),
  );
  return due.length === HOLDS_AT_ONCE;
}

/** The log fields of a failure: a line for storage that is busy or unavailable, else a stack. */
export const causeOf = (error: Error): { reason: string } | { err: Error } =>
  error instanceof Unavailable ? { reason: error.message } : { err: error };

/** Runs a job periodically, one run at a time. */
class JobRunner {
  readonly #job: Job;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #lastFailure = '';

  constructor(job: Job, logger: Logger) {
    this.#job = job;
    this.#logger = logger;
    this.#timer = setInterval(() => {
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    }, job.everyMs).unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped && (await this.#job.run()));
      this.#lastFailure = '';
    } catch (error) {
      this.#report(error as Error);
    }
  }

  /** Logs a failure that repeats once, and leaves an outage to those who log it as such. */
  #report(error: Error): void {
    const isOutage = error instanceof Unavailable && error.reason === 'storage-unavailable';
    if (isOutage || error.message === this.#lastFailure) return;
    this.#lastFailure = error.message;
    this.#logger.warn(causeOf(error), `${this.#job.name} failed; will retry`);
  }
}
