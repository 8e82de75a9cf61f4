import type { Logger } from 'pino';
import { Away, type Keeper, Overloaded } from './domain/keeper.ts';
import type { Following } from './domain/store.ts';
import { BOARD_KEPT_MS } from './domain/views.rules.ts';
import type { KeyRing } from './http/key-ring.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const HOLDS_AT_ONCE = 500;
const FOLLOW_ALL_MS = 60_000;

/** What the service does by itself, from time to time. Nothing that counts waits for it. */
export interface Chores {
  /** No chore begins any more; those under way are waited for. */
  stop(): Promise<void>;
}

export function startChores(
  keeper: Keeper,
  keyRing: KeyRing,
  idempotencyDays: number,
  logger: Logger,
): Chores {
  const { housekeeping } = keeper;
  const chores = [
    new Chore('noting the last use of keys', 15_000, logger, async () => {
      await keyRing.noteUses();
      return false;
    }),
    new Chore('following the journals', 250, logger, followJournals(housekeeping)),
    new Chore('noting expired holds', 1_000, logger, () => noteExpiredHolds(keeper)),
    new Chore('forgetting old answers', HOUR_MS, logger, async () => {
      const before = Date.now() - idempotencyDays * DAY_MS;
      return (await housekeeping.forgetAnswers(before)) > 0;
    }),
    // Kept for an hour past their end, so that a late or second use is told from an unknown one.
    new Chore('forgetting old challenges', HOUR_MS, logger, async () => {
      return (await housekeeping.forgetChallenges(Date.now() - HOUR_MS)) > 0;
    }),
    new Chore('dropping old boards', HOUR_MS, logger, async () => {
      return (await housekeeping.dropOldBoards(Date.now() - BOARD_KEPT_MS)) > 0;
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}

/**
 * Journals that are far behind are followed soon, the others together from time to time: readers
 * follow what they need by themselves, and many records at once are cheaper.
 */
function followJournals(following: Following): () => Promise<boolean> {
  let whom: 'all' | 'far' = 'all';
  let allSince = Number.NEGATIVE_INFINITY;
  return async () => {
    const isFull = (await following.follow(whom)) === 'full';
    if (isFull) return true;
    const now = performance.now();
    if (whom === 'all') allSince = now;
    whom = now - allSince >= FOLLOW_ALL_MS ? 'all' : 'far';
    return false;
  };
}

/** What is expected of a busy or missing storage is told in a line, a fault of ours in full. */
export const causeOf = (error: Error): { reason: string } | { err: Error } =>
  error instanceof Overloaded ? { reason: error.message } : { err: error };

/** One piece of work, done again and again; `true` asks for another turn at once. */
class Chore {
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
          if (told === error.message || error instanceof Away) return;
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
async function noteExpiredHolds(keeper: Keeper): Promise<boolean> {
  const due = await keeper.ask('dueHolds', { now: Date.now(), limit: HOLDS_AT_ONCE });
  const envelope = { actor: 'service', idempotency: null };
  await Promise.all(
    due.map((hold) => keeper.execute({ ...envelope, ...hold, type: 'hold.expire' })),
  );
  return due.length === HOLDS_AT_ONCE;
}
