import type { JournalRecord } from '../domain/rules/journal.ts';
import { progressOf } from '../domain/rules/views.ts';
import { isWanted } from '../domain/rules/webhooks.ts';
import {
  type Delivery,
  type LeasedWebhook,
  MAX_DELIVERIES,
  type WebhookProgress,
  type WebhookReport,
} from '../domain/webhook.ts';
import type { Gate } from '../ledger/gate.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Interrupted, type Outcome } from './client.ts';
import type { ClientThread } from './client-thread.ts';
import { messageOf, type SecretBox, secretsOf, signedHeaders } from './messages.ts';
import { judge, type RetrySchedule } from './retries.ts';

/** What all couriers of a process share. */
export interface CourierParts {
  ledger: Pick<Ledger, 'query' | 'execute'>;
  client: ClientThread;
  box: SecretBox;
  /** Receivers that were slow or failed last time have slots of their own, and delay no others. */
  slots: { quick: Gate; slow: Gate };
  schedule: RetrySchedule;
  clock: () => number;
  onOutcome: (outcome: Outcome) => void;
  onFailure: (error: Error) => void;
}

const RECORDS_AT_ONCE = 50;
/** A record that was read longer ago is read again before it is sent: parts of it may be erased. */
const FRESH_MS = 1_000;
const SLOW_MS = 2_000;
/** After the storage has failed, or the thread that sends. */
const FAILURE_PAUSE_MS = 1_000;

/** Sends the events of a realm to one webhook, in order, one at a time. */
export class Courier {
  readonly #parts: CourierParts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #webhook: LeasedWebhook;
  #progress: WebhookProgress;
  #deliveries: Delivery[] = [];
  #lastDeliveryId = 0;
  #isReported = true;
  /** Whether the journal may continue after the position. */
  #mayHaveMore = true;
  #isSlow: boolean;
  /** The instant of the event that is being delivered. */
  #pendingAt: number | null = null;
  #isPaused = false;
  #isEnding = false;
  #wake: () => void = () => undefined;

  constructor(webhook: LeasedWebhook, parts: CourierParts) {
    this.#parts = parts;
    this.#webhook = webhook;
    this.#progress = progressOf(webhook);
    this.#isSlow = this.#progress.attempts > 0;
    this.#running = this.#run();
  }

  /**
   * Takes the webhook as of a record, unless it knows a later one. Its own progress is newer,
   * unless the webhook was restarted.
   */
  update(webhook: LeasedWebhook): void {
    const { lastSeq, startSeq } = this.#webhook;
    if (webhook.lastSeq < lastSeq || webhook.startSeq < startSeq) return;
    const isRestarted = webhook.startSeq !== startSeq;
    this.#webhook = webhook;
    if (isRestarted) {
      this.#progress = progressOf(webhook);
      this.#pendingAt = null;
      this.#isPaused = false;
      this.onGrown();
    } else if (webhook.lastSeq > this.#progress.position) this.onGrown();
    if (webhook.pausedAt !== null) this.#isPaused = true;
  }

  /** The journal may have grown. */
  onGrown(): void {
    this.#mayHaveMore = true;
    this.#wake();
  }

  /** How many events it is behind, and for how long the next one has been waiting. */
  lag(now: number): { events: number; ms: number } {
    const events = Math.max(0, this.#webhook.lastSeq - this.#progress.position);
    return { events, ms: this.#pendingAt === null ? 0 : Math.max(0, now - this.#pendingAt) };
  }

  /** What was done since the last report; null for nothing. */
  takeReport(): WebhookReport | null {
    if (this.#isReported) return null;
    this.#isReported = true;
    const { realmId, id: webhookId, startSeq } = this.#webhook;
    const deliveries = this.#deliveries;
    this.#deliveries = [];
    return { realmId, webhookId, progressOf: startSeq, ...this.#progress, deliveries };
  }

  /** Begins no further attempt; resolves when the one in progress is over. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#wake();
    await this.#running;
  }

  /** The same, and interrupts the attempt in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.end();
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      const wait = this.#progress.nextAt - this.#parts.clock();
      if (wait > 0) await this.#sleep(wait);
      else if (this.#isPaused || !this.#mayHaveMore) await this.#sleep(null);
      else await this.#deliverSome();
    }
  }

  /** Until it is woken, or for this long. */
  async #sleep(ms: number | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    // A timer cannot be longer than this.
    const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
    if (!this.#isEnding) await promise;
    clearTimeout(timer);
  }

  async #deliverSome(): Promise<void> {
    this.#mayHaveMore = false;
    const { startSeq, realmId } = this.#webhook;
    try {
      const after = this.#progress.position;
      const page = { realmId, after, limit: RECORDS_AT_ONCE };
      const readAt = performance.now();
      const { rows } = await this.#parts.ledger.query('records', page);
      if (rows.length > 0) this.#mayHaveMore = true;
      for (const record of rows) {
        if (this.#isChangedBy(record)) await this.#readAgain(record.seq);
        if (this.#isEnding || this.#isPaused || this.#webhook.startSeq !== startSeq) return;
        if (!isWanted(this.#webhook.types, record.type)) this.#advance(record.seq);
        else if (!(await this.#deliver(record, readAt))) return;
      }
    } catch (error) {
      this.#mayHaveMore = true;
      if (error instanceof Interrupted) return;
      this.#parts.onFailure(error as Error);
      await this.#sleep(FAILURE_PAUSE_MS);
    }
  }

  /** Whether the record is of a change of this webhook that it does not have yet. */
  #isChangedBy({ seq, type, data }: JournalRecord): boolean {
    if (seq <= this.#webhook.lastSeq || !type.startsWith('webhook.')) return false;
    return JSON.parse(data).webhookId === this.#webhook.id;
  }

  /** What comes after a change is sent, or not, as the change says: nothing if it is gone. */
  async #readAgain(lastSeq: number): Promise<void> {
    const { realmId, id: webhookId } = this.#webhook;
    const row = await this.#parts.ledger.query('webhook', { realmId, webhookId });
    if (row) this.update({ ...row, realmId, lastSeq });
    else this.#isPaused = true;
  }

  #advance(position: number): void {
    this.#progress = { position, attempts: 0, failingSince: null, nextAt: 0 };
    this.#pendingAt = null;
    this.#isReported = false;
  }

  /** Whether the event was delivered, by an attempt that still counts. */
  async #deliver(record: JournalRecord, readAt: number): Promise<boolean> {
    const { slots, clock, schedule } = this.#parts;
    const { startSeq, realmId } = this.#webhook;
    this.#pendingAt = record.at;
    const attempt = this.#progress.attempts + 1;
    const slot = this.#isSlow ? slots.slow : slots.quick;
    const outcome = await slot.pass(realmId, 1, undefined, async () =>
      this.#attempt(await this.#fresh(record, readAt)),
    );
    this.#isSlow = outcome.latencyMs > SLOW_MS || outcome.status === null;
    this.#parts.onOutcome(outcome);
    this.#addDelivery(record, attempt, outcome);
    if (this.#webhook.startSeq !== startSeq) return false;
    const verdict = judge(outcome, this.#progress, schedule, clock(), Math.random());
    if (verdict.isDelivered) {
      this.#advance(record.seq);
      return true;
    }
    if (verdict.pause !== null) await this.#pause(verdict.pause);
    else this.#progress = { ...this.#progress, ...verdict.progress };
    this.#isReported = false;
    return false;
  }

  /** The record as it is stored now, if it was read too long ago. */
  async #fresh(record: JournalRecord, readAt: number): Promise<JournalRecord> {
    if (performance.now() - readAt < FRESH_MS) return record;
    const page = { realmId: this.#webhook.realmId, after: record.seq - 1, limit: 1 };
    const [fresh] = (await this.#parts.ledger.query('records', page)).rows;
    if (fresh?.seq !== record.seq) throw new Interrupted('the realm was deleted');
    return fresh;
  }

  #attempt(record: JournalRecord): Promise<Outcome> {
    const { client, box, clock } = this.#parts;
    if (this.#stopping.signal.aborted) throw new Interrupted('the courier is stopped');
    const { realmId, id: webhookId, url } = this.#webhook;
    const { id, body } = messageOf(realmId, webhookId, record);
    const at = clock();
    const secrets = secretsOf(box, realmId, this.#webhook, at);
    if (secrets.length === 0) throw new Error(`the secret of webhook ${webhookId} is damaged`);
    const headers = signedHeaders({ id, at, body }, secrets);
    return client.post({ url, headers, body }, this.#stopping.signal);
  }

  #addDelivery(record: JournalRecord, attempt: number, outcome: Outcome): void {
    const { seq, type } = record;
    const { retryAfterMs: _, ...rest } = outcome;
    const at = this.#parts.clock();
    // Later ones have larger ids, even two of one millisecond.
    this.#lastDeliveryId = Math.max(this.#lastDeliveryId + 1, at * 1000);
    const id = this.#lastDeliveryId;
    this.#deliveries.push({ webhookId: this.#webhook.id, id, seq, type, attempt, at, ...rest });
    if (this.#deliveries.length > MAX_DELIVERIES) this.#deliveries.shift();
  }

  /** Records the pause, after which the lease is not renewed, unless it is started again. */
  async #pause(reason: 'gone' | 'failing'): Promise<void> {
    const { realmId, id: webhookId, startSeq } = this.#webhook;
    const envelope = { actor: 'service', idempotency: null, realmId };
    const command = { ...envelope, type: 'webhook.pause', webhookId, startSeq, reason } as const;
    await this.#parts.ledger.execute(command);
    if (this.#webhook.startSeq === startSeq) this.#isPaused = true;
  }
}
