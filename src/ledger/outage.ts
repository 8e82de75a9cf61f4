import { InDoubt, Unavailable } from './errors.ts';
import type { Availability, BatchWriter, Housekeeping, Store } from './store.ts';

const PROBE_MS = 250;

/** Whether a failure may say something of the storage, not only of the work that failed. */
const isStorageFailure = (error: unknown): boolean =>
  error instanceof InDoubt ||
  (error instanceof Unavailable && /^storage-(full|unavailable)$/.test(error.reason));

/**
 * Knows whether the storage takes writes. One failure is no outage: on a nearly full disk a large
 * batch fails where a small one does not. So after a failure a probe, which writes a little,
 * decides whether this is an outage, and probes find out when it is over.
 */
export class Outage implements Availability {
  /** Set here alone. */
  cause: Unavailable | null = null;
  readonly #probe: () => unknown;
  readonly #listeners: ((cause: Unavailable | null) => void)[] = [];
  #probing: Promise<void> | null = null;
  #next: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(probe: () => unknown) {
    this.#probe = probe;
  }

  onChange(listener: (cause: Unavailable | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when it is known whether the failure is part of an outage. Never rejects. */
  async examine(failure: unknown): Promise<void> {
    if (this.cause === null && isStorageFailure(failure)) await this.check();
  }

  /** Probes the storage. Never rejects. */
  check(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  /** The storage is known to be unavailable, until a probe succeeds. */
  begin(cause: Unavailable): void {
    if (this.#isClosed) return;
    this.#next ??= setTimeout(() => {
      this.#next = null;
      void this.check();
    }, PROBE_MS).unref();
    const isKnown = this.cause?.reason === cause.reason;
    this.cause = cause;
    if (!isKnown) for (const listener of this.#listeners) listener(cause);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#next) clearTimeout(this.#next);
  }

  async #runProbe(): Promise<void> {
    try {
      await this.#probe();
    } catch (error) {
      const cause = causeOf(error) ?? this.cause;
      if (cause) this.begin(cause);
      return;
    }
    if (this.cause === null) return;
    this.cause = null;
    for (const listener of this.#listeners) listener(null);
  }
}

/** Null if a probe failed for another reason: somebody else may be writing for long. */
function causeOf(error: unknown): Unavailable | null {
  if (error instanceof Unavailable) return isStorageFailure(error) ? error : null;
  return new Unavailable('storage-unavailable', (error as Error).message, { cause: error });
}

/** A store that is unavailable while its database cannot be reached, or takes no writes. */
export function watched(store: Store): Store {
  const outage = new Outage(() => store.housekeeping.probe());
  store.availability?.onChange((cause) => (cause ? outage.begin(cause) : void outage.check()));
  const { writer, lockedWriter, largeWriter } = store;
  return {
    ...store,
    writer: watchedWriter(writer, outage),
    lockedWriter: lockedWriter && watchedWriter(lockedWriter, outage),
    largeWriter: largeWriter && watchedWriter(largeWriter, outage),
    housekeeping: watchedHousekeeping(store.housekeeping, outage),
    availability: outage,
    close: () => {
      outage.close();
      return store.close();
    },
  };
}

/** Whoever waits for it gets a failure when it is known whether it is part of an outage. */
async function examined<T>(outage: Outage, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await outage.examine(error);
    throw error;
  }
}

const watchedWriter = (writer: BatchWriter, outage: Outage): BatchWriter => ({
  limits: writer.limits,
  write: (batch) => {
    const { sent, done } = writer.write(batch);
    return { sent, done: examined(outage, done) };
  },
});

function watchedHousekeeping(all: Housekeeping, outage: Outage): Housekeeping {
  const watched = Object.entries(all).map(([name, work]) => [
    name,
    // A store may take more than its port says, such as the part of it that is meant.
    (...args: [never]) => examined(outage, work(...args) as Promise<unknown>),
  ]);
  // A probe is how an outage is examined, and a check of files writes nothing.
  const { probe, checkIntegrity } = all;
  return { ...(Object.fromEntries(watched) as Housekeeping), probe, checkIntegrity };
}
