import { Unavailable } from '../../engine/errors.ts';
import { Outage } from '../../engine/outage.ts';

export interface HealthEvents {
  /** It takes no writes at the moment. Called again if the reason changes. */
  onUnavailable(cause: Unavailable): void;
  onAvailable(): void;
  /** The database file is damaged: it is read, but no longer written. Called once. */
  onDamage(reason: string): void;
}

/** What the failures of the threads say of the storage. */
export class StorageHealth {
  readonly #events: HealthEvents;
  readonly #outage: Outage;
  #damage: Unavailable | null = null;
  #tell: () => void = () => undefined;

  constructor(probe: () => Promise<unknown>, events: HealthEvents) {
    this.#events = events;
    this.#outage = new Outage(probe);
    this.#outage.onUnavailable((cause) => {
      this.#tell();
      events.onUnavailable(cause);
    });
    this.#outage.onAvailable(() => {
      this.#tell();
      events.onAvailable();
    });
  }

  /** Calls the listener with why nothing is written now, or null, at once and at each change. */
  onRefusal(listener: (refusal: Unavailable | null) => void): void {
    this.#tell = () => listener(this.#damage ?? this.#outage.cause);
    this.#tell();
  }

  /** Resolves when it is known whether the storage is to blame for the failure. */
  async examine(failure: Error): Promise<void> {
    if (!(failure instanceof Unavailable) || failure.reason !== 'storage-damaged') {
      return this.#outage.examine(failure);
    }
    this.reportDamage(failure.message);
  }

  /**
   * A damaged file is not written to: a write could spread the damage, and would be lost when the
   * file is replaced by a copy.
   */
  reportDamage(reason: string): void {
    if (this.#damage) return;
    this.#damage = new Unavailable('storage-damaged', 'the database file is damaged');
    this.#tell();
    this.#events.onDamage(reason);
  }

  check(): Promise<void> {
    return this.#outage.check();
  }

  close(): void {
    this.#outage.close();
  }
}
