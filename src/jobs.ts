import type { Logger } from 'pino';
import { LEADERBOARD_RETENTION_MS } from './domain/rules/leaderboards.ts';
import { DAY_MS, HOUR_MS } from './domain/rules/time.ts';
import type { KeyRing } from './http/key-ring.ts';
import type { Status } from './http/services.ts';
import type { Sessions } from './http/sessions.ts';
import { Unavailable } from './ledger/errors.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Erasures, KindEnrolments, RealmRemovals } from './ledger/realm-work.ts';
import type { Housekeeping } from './ledger/store.ts';

/** How many expired holds are read at once, and how many then recorded: nobody waits for long. */
const [HOLDS_READ, HOLDS_AT_ONCE] = [500, 100];

/** Not at once: a start has other things to read. */
const FIRST_CHECK_MS = 10_000;

interface Job {
  /** Completes the sentence "… failed; will retry". */
  name: string;
  everyMs: number;
  /** When it runs for the first time, if not after `everyMs`; the others are counted from then. */
  firstMs?: number;
  /** Runs again at once if the result is truthy, such as a number of rows removed. */
  run(): unknown;
}

interface Serving {
  ledger: Ledger;
  keyRing: KeyRing;
  sessions: Sessions;
  removals: RealmRemovals;
  erasures: Erasures;
  enrolments: KindEnrolments;
  status: Status;
  idempotencyDays: number;
  /** Null if no backups are scheduled. */
  backups: { everyMs: number; firstMs: number; run(signal: AbortSignal): Promise<void> } | null;
  logger: Logger;
}

/**
 * Starts the service's periodic background work, which no caller waits for. The result starts no
 * more of it and waits for what is running.
 */
export function startJobs(serving: Serving): () => Promise<void> {
  const { ledger, keyRing, sessions, status, idempotencyDays, backups, logger } = serving;
  const { housekeeping } = ledger;
  const realmWork = {
    'removing deleted realms': serving.removals,
    'erasing members': serving.erasures,
    'enrolling members in new kinds of points': serving.enrolments,
  };
  const stopping = new AbortController();
  const before = (ageMs: number) => Date.now() - ageMs;
  const jobs: Job[] = [
    { name: 'saving key usage', everyMs: 15_000, run: () => keyRing.saveUses() },
    { name: 'saving session usage', everyMs: 15_000, run: () => sessions.saveUses() },
    { name: 'recording expired holds', everyMs: 1_000, run: () => recordExpiredHolds(ledger) },
    ...Object.entries(realmWork).map(([name, work]) => {
      return { name, everyMs: 5_000, firstMs: 0, run: () => work.resume() };
    }),
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
      name: 'deleting expired sessions',
      everyMs: HOUR_MS,
      run: () => housekeeping.expireSessions(Date.now()),
    },
    {
      name: 'dropping ended leaderboards',
      everyMs: HOUR_MS,
      run: () => housekeeping.dropEndedLeaderboards(before(LEADERBOARD_RETENTION_MS)),
    },
    {
      name: 'checking the database file',
      everyMs: DAY_MS,
      firstMs: FIRST_CHECK_MS,
      run: () => checkFile(housekeeping, status, logger, stopping.signal),
    },
  ];
  if (backups) {
    const { everyMs, firstMs } = backups;
    const run = () => backups.run(stopping.signal);
    jobs.push({ name: 'backing up', everyMs, firstMs, run });
  }
  const stops = jobs.map((job) => runPeriodically(job, failureLog(job.name, status, logger)));
  return async () => {
    stopping.abort();
    for (const work of Object.values(realmWork)) work.stop();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Damage is reported by the storage, which from then on only reads. */
async function checkFile(
  housekeeping: Housekeeping,
  status: Status,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const integrity = await housekeeping.checkIntegrity(signal).catch((error) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (!integrity) return;
  status.checkedAt = Date.now();
  if (integrity.fault === null) logger.info('the database file is intact');
}

/** An expired hold is over without its record; the journal should contain it all the same. */
async function recordExpiredHolds(ledger: Ledger): Promise<boolean> {
  const due = await ledger.query('dueHolds', { now: Date.now(), limit: HOLDS_READ });
  const envelope = { actor: 'service', idempotency: null };
  for (let from = 0; from < due.length; from += HOLDS_AT_ONCE) {
    const some = due.slice(from, from + HOLDS_AT_ONCE);
    await Promise.all(
      some.map((hold) => ledger.execute({ ...envelope, ...hold, type: 'hold.expire' })),
    );
  }
  return due.length === HOLDS_READ;
}

/** The log fields of a failure: a line for storage that is busy or unavailable, else a stack. */
export const causeOf = (error: Error): { reason: string } | { err: Error } =>
  error instanceof Unavailable ? { reason: error.message } : { err: error };

/** Logs a repeated failure once; null for a success. Outages are logged by themselves. */
export function failureLog(name: string, status: Status, logger: Logger) {
  let lastFailure = '';
  return (error: Error | null): void => {
    if (error && (status.outage !== null || error.message === lastFailure)) return;
    lastFailure = error?.message ?? '';
    if (error) logger.warn(causeOf(error), `${name} failed; will retry`);
  };
}

/** Runs a job periodically, one run at a time. */
function runPeriodically(
  { everyMs, firstMs = everyMs, run }: Job,
  report: (error: Error | null) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isStopped = false;
  const runOnce = async (): Promise<void> => {
    try {
      while (!isStopped && (await run()));
      report(null);
    } catch (error) {
      report(error as Error);
    }
  };
  const start = (): void => {
    running ??= runOnce().finally(() => {
      running = null;
    });
  };
  let timer = setTimeout(() => {
    timer = setInterval(start, everyMs).unref();
    start();
  }, firstMs).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
