import type { Logger } from 'pino';
import { LEADERBOARD_RETENTION_MS } from './domain/rules/projections.ts';
import { DAY_MS, HOUR_MS } from './domain/rules/time.ts';
import { Unavailable } from './engine/errors.ts';
import type { Ledger } from './engine/ledger.ts';
import type { ProjectionMaintenance, ProjectionScope } from './engine/store.ts';
import type { KeyRing } from './http/key-ring.ts';

const HOLDS_AT_ONCE = 500;
const PROJECT_ALL_MS = 60_000;

interface Job {
  /** Completes the sentence "… failed; will retry". */
  name: string;
  everyMs: number;
  /** Runs again at once if the result is truthy, such as a number of rows removed. */
  run(): unknown;
}

/**
 * Starts the service's periodic background work, which no caller waits for. The result starts no
 * more of it and waits for what is running.
 */
export function startJobs(
  ledger: Ledger,
  keyRing: KeyRing,
  idempotencyDays: number,
  logger: Logger,
): () => Promise<void> {
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
      // An hour late, so that a late or second use can be distinguished from an unknown challenge.
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
  const stops = jobs.map((job) => runPeriodically(job, logger));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
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
function runPeriodically({ name, everyMs, run }: Job, logger: Logger): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isStopped = false;
  let lastFailure = '';
  /** Logs a repeated failure once. Outages are logged by `service.ts`. */
  const report = (error: Error): void => {
    const isOutage = error instanceof Unavailable && error.reason === 'storage-unavailable';
    if (isOutage || error.message === lastFailure) return;
    lastFailure = error.message;
    logger.warn(causeOf(error), `${name} failed; will retry`);
  };
  const runOnce = async (): Promise<void> => {
    try {
      while (!isStopped && (await run()));
      lastFailure = '';
    } catch (error) {
      report(error as Error);
    }
  };
  const timer = setInterval(() => {
    running ??= runOnce().finally(() => {
      running = null;
    });
  }, everyMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
