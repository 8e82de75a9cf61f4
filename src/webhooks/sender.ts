import { randomBytes } from 'node:crypto';
import type { LeasedWebhook, WebhookReport } from '../domain/webhook.ts';
import type { JournalWatch } from '../ledger/feeds/journal-watch.ts';
import type { Housekeeping } from '../ledger/store.ts';
import { Courier, type CourierParts } from './courier.ts';

export interface SenderTimes {
  /** How long a lease lasts: another process takes over that long after this one has died. */
  leaseMs: number;
  /** How often leases are renewed and free ones taken. */
  renewMs: number;
  /** How often reports are stored. */
  reportMs: number;
  /** How long a stop waits for attempts in progress. */
  graceMs: number;
}

export const SENDER_TIMES: SenderTimes = {
  leaseMs: 6_000,
  renewMs: 2_000,
  reportMs: 250,
  graceMs: 3_000,
};

/** An attempt is interrupted this long before its lease ends. */
const MARGIN_MS = 500;

interface SenderParts {
  couriers: CourierParts;
  housekeeping: Housekeeping;
  watch: JournalWatch;
  times: SenderTimes;
}

interface Sending {
  courier: Courier;
  unwatch: () => void;
}

/**
 * Sends for the webhooks whose leases this process has. A lease ends by itself, so that another
 * process takes over if this one dies; it is not renewed while the storage fails, and then nothing
 * is sent. Positions are stored in groups: after a crash, a few events are sent again.
 */
export class Sender {
  readonly #parts: SenderParts;
  readonly #owner = randomBytes(12).toString('base64url');
  readonly #sealedBy: string;
  readonly #sendings = new Map<string, Sending>();
  /** Reports of couriers that have ended. */
  #reports: WebhookReport[] = [];
  #renewTimer: NodeJS.Timeout | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;
  #reportTimer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | null = null;
  #renewAgain = false;
  #saving: Promise<void> | null = null;
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#sealedBy = parts.couriers.box.keyId;
  }

  start(): void {
    const { renewMs, reportMs } = this.#parts.times;
    this.#renewTimer = setInterval(() => this.renew(), renewMs).unref();
    this.#reportTimer = setInterval(() => {
      this.#saving ??= this.#saveNow();
    }, reportMs).unref();
    this.renew();
  }

  /** Looks at the webhooks now, because one has changed. */
  renew(): void {
    if (this.#isStopped) return;
    this.#renewAgain = this.#renewing !== null;
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = null;
      if (this.#renewAgain) this.renew();
    });
  }

  /** The number of webhooks, and the largest lag among them. */
  lag(now: number): { webhooks: number; events: number; ms: number } {
    let [events, ms] = [0, 0];
    for (const { courier } of this.#sendings.values()) {
      const lag = courier.lag(now);
      events = Math.max(events, lag.events);
      ms = Math.max(ms, lag.ms);
    }
    return { webhooks: this.#sendings.size, events, ms };
  }

  /** Stores how far it is, and lets other processes take over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#renewTimer);
    await this.#renewing;
    const { graceMs } = this.#parts.times;
    const grace = setTimeout(() => this.#drop(), graceMs);
    await Promise.all(Array.from(this.#sendings.values(), ({ courier }) => courier.end()));
    clearTimeout(grace);
    clearTimeout(this.#expiryTimer);
    clearInterval(this.#reportTimer);
    await this.#saving;
    try {
      await this.#save();
      await this.#parts.housekeeping.releaseWebhooks(this.#owner);
    } catch (error) {
      this.#parts.couriers.onFailure(error as Error);
    }
  }

  async #renewOnce(): Promise<void> {
    const { housekeeping, times } = this.#parts;
    // One after the other: both lock rows of webhooks, and not in the same order.
    await this.#saving;
    const start = performance.now();
    try {
      const lease = { owner: this.#owner, sealedBy: this.#sealedBy, ms: times.leaseMs };
      const leased = await housekeeping.leaseWebhooks(lease);
      if (this.#isStopped) return;
      const left = times.leaseMs - MARGIN_MS - (performance.now() - start);
      // Nobody may still be sending when the leases end.
      clearTimeout(this.#expiryTimer);
      this.#expiryTimer = setTimeout(() => this.#drop(), Math.max(0, left)).unref();
      if (left > 0) this.#take(leased);
    } catch (error) {
      this.#parts.couriers.onFailure(error as Error);
    }
  }

  #take(leased: LeasedWebhook[]): void {
    this.#drop(new Set(leased.map(keyOf)));
    for (const webhook of leased) {
      const sending = this.#sendings.get(keyOf(webhook));
      if (sending) sending.courier.update(webhook);
      else this.#sendings.set(keyOf(webhook), this.#send(webhook));
    }
  }

  #send(webhook: LeasedWebhook): Sending {
    const courier = new Courier(webhook, this.#parts.couriers);
    const listener = { onGrown: () => courier.onGrown(), onGone: () => undefined };
    return { courier, unwatch: this.#parts.watch.watch(webhook.realmId, listener) };
  }

  /** Those that are not kept. */
  #drop(kept: ReadonlySet<string> = new Set()): void {
    for (const [key, { courier, unwatch }] of this.#sendings) {
      if (kept.has(key)) continue;
      this.#sendings.delete(key);
      unwatch();
      // An attempt that is interrupted here adds nothing to it.
      const report = courier.takeReport();
      if (report) this.#reports.push(report);
      void courier.stop();
    }
  }

  async #saveNow(): Promise<void> {
    await this.#renewing;
    try {
      await this.#save();
    } catch (error) {
      this.#parts.couriers.onFailure(error as Error);
    } finally {
      this.#saving = null;
    }
  }

  async #save(): Promise<void> {
    const couriers = Array.from(this.#sendings.values(), ({ courier }) => courier);
    const reports = [...this.#reports, ...couriers.flatMap((one) => one.takeReport() ?? [])];
    this.#reports = [];
    if (reports.length === 0) return;
    try {
      await this.#parts.housekeeping.saveReports({ owner: this.#owner, reports });
    } catch (error) {
      this.#reports = [...reports, ...this.#reports];
      throw error;
    }
  }
}

const keyOf = ({ realmId, id }: LeasedWebhook): string => `${realmId}/${id}`;
