import { randomBytes, randomInt } from 'node:crypto';
import { NO_PERSONAL_PART } from '../domain/records.ts';
import type { JournalRecord } from '../domain/rules/journal.ts';
import { progressOf } from '../domain/rules/views.ts';
import { isAccepted } from '../domain/rules/webhooks.ts';
import { DELIVERY_ERRORS, type Delivery, type WebhookRow } from '../domain/webhook.ts';
import { Unavailable } from '../ledger/errors.ts';
import type { JournalWatch } from '../ledger/feeds/journal-watch.ts';
import { Gate } from '../ledger/gate.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Housekeeping } from '../ledger/store.ts';
import type { Outcome } from './client.ts';
import { ClientThread } from './client-thread.ts';
import {
  messageOf,
  newSecret,
  ownerOf,
  SecretBox,
  secretsOf,
  signedHeaders,
  TEST_TYPE,
} from './messages.ts';
import { RETRY_SCHEDULE, type RetrySchedule } from './retries.ts';
import { SENDER_TIMES, Sender, type SenderTimes } from './sender.ts';
import { Targets } from './targets.ts';

/** Overrides for tests. */
export interface WebhookOptions {
  deadlineMs?: number;
  schedule?: RetrySchedule;
  times?: SenderTimes;
  clock?: () => number;
}

interface WebhookParts {
  ledger: Ledger;
  watch: JournalWatch;
  secretKey: string;
  allowPrivate: boolean;
  onFailure: (error: Error) => void;
}

/** Attempts at the same time, in all. A realm has at most 20 webhooks, each one attempt. */
const [QUICK_SLOTS, SLOW_SLOTS] = [256, 128];
/** Of one realm at the same time, what is sent again included; further ones are refused. */
const TESTS_PER_REALM = 4;
/** The owner of no lease. */
const NOBODY = '';

/** Everything about webhooks that is neither stored nor spoken over HTTP by callers. */
export class Webhooks {
  readonly #box: SecretBox;
  readonly targets: Targets;
  readonly #client: ClientThread;
  readonly #sender: Sender;
  readonly #housekeeping: Housekeeping;
  /** By realm, how many tests are in progress. */
  readonly #tests = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #clock: () => number;
  /** From 0: of a series that begins later, Prometheus would miss the first. */
  readonly #outcomes = new Map<string, number>(
    ['delivered', 'refused', ...DELIVERY_ERRORS].map((outcome) => [outcome, 0]),
  );

  constructor(parts: WebhookParts, options: WebhookOptions = {}) {
    const { ledger, watch, secretKey, allowPrivate, onFailure } = parts;
    const { deadlineMs, schedule, times, clock } = options;
    this.#clock = clock ?? Date.now;
    this.#housekeeping = ledger.housekeeping;
    this.#box = new SecretBox(secretKey);
    this.targets = new Targets(allowPrivate);
    this.#client = new ClientThread({ allowPrivate, deadlineMs });
    this.#sender = new Sender({
      couriers: {
        ledger,
        client: this.#client,
        box: this.#box,
        slots: { quick: slots(QUICK_SLOTS), slow: slots(SLOW_SLOTS) },
        schedule: schedule ?? RETRY_SCHEDULE,
        clock: this.#clock,
        onOutcome: (outcome) => this.#count(outcome),
        onFailure,
      },
      housekeeping: this.#housekeeping,
      watch,
      times: times ?? SENDER_TIMES,
    });
  }

  start(): void {
    this.#sender.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sender.stop();
    await this.#client.close();
  }

  /** A secret to show once, and the same sealed, to store. */
  issueSecret(realmId: string, webhookId: string): { secret: string; sealed: string } {
    const secret = newSecret();
    return { secret, sealed: this.#box.seal(secret, ownerOf(realmId, webhookId)) };
  }

  canOpen(sealedBy: string): boolean {
    return sealedBy === this.#box.keyId;
  }

  /** A webhook has changed: its sender need not wait for its next look. */
  onChanged(): void {
    this.#sender.renew();
  }

  readonly messageOf = messageOf;

  /** Sends a message that is about no event; null if the secret cannot be opened. */
  async test(realmId: string, webhook: WebhookRow): Promise<Outcome | null> {
    const at = this.#clock();
    const data = JSON.stringify({ webhookId: webhook.id });
    const event = { seq: 0, type: TEST_TYPE, at, actor: 'service', data, ...NO_PERSONAL_PART };
    const { body } = messageOf(realmId, webhook.id, event);
    const id = `msg_test_${randomBytes(12).toString('base64url')}`;
    return this.#postOnce(realmId, webhook, { id, body });
  }

  /**
   * Sends the event of a delivery once more, beside the courier, and stores the attempt; null if
   * the secret cannot be opened. Without a lease, the progress that is reported is not stored.
   */
  async resend(
    realmId: string,
    webhook: WebhookRow,
    record: JournalRecord,
    before: Delivery,
  ): Promise<Delivery | null> {
    const { id: webhookId, startSeq } = webhook;
    const outcome = await this.#postOnce(realmId, webhook, messageOf(realmId, webhookId, record));
    if (outcome === null) return null;
    const { retryAfterMs: _, ...rest } = outcome;
    const at = this.#clock();
    // The ids of a courier begin at those of the millisecond.
    const id = at * 1000 + randomInt(500, 1000);
    const delivery = { ...before, id, attempt: before.attempt + 1, at, ...rest };
    const progress = { realmId, webhookId, progressOf: startSeq, ...progressOf(webhook) };
    const reports = [{ ...progress, deliveries: [delivery] }];
    await this.#housekeeping.saveReports({ owner: NOBODY, reports });
    return delivery;
  }

  async #postOnce(
    realmId: string,
    webhook: WebhookRow,
    { id, body }: ReturnType<typeof messageOf>,
  ): Promise<Outcome | null> {
    const at = this.#clock();
    const secrets = secretsOf(this.#box, realmId, webhook, at);
    if (secrets.length === 0) return null;
    const headers = signedHeaders({ id, at, body }, secrets);
    const running = this.#tests.get(realmId) ?? 0;
    if (running >= TESTS_PER_REALM) throw new Unavailable('overloaded', 'too many tests at once');
    this.#tests.set(realmId, running + 1);
    try {
      return await this.#client.post({ url: webhook.url, headers, body }, this.#stopping.signal);
    } catch (error) {
      throw new Unavailable('overloaded', 'the attempt was interrupted', { cause: error });
    } finally {
      this.#endTest(realmId);
    }
  }

  #endTest(realmId: string): void {
    const left = (this.#tests.get(realmId) ?? 0) - 1;
    if (left > 0) this.#tests.set(realmId, left);
    else this.#tests.delete(realmId);
  }

  counts() {
    return { ...this.#sender.lag(this.#clock()), outcomes: this.#outcomes };
  }

  #count({ status, error }: Outcome): void {
    const outcome = error ?? (isAccepted(status) ? 'delivered' : 'refused');
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }
}

/** Whoever waits for a slot waits as long as it takes: events are in the journal. */
const slots = (window: number): Gate =>
  new Gate({ window, perRealm: Infinity, inAll: Infinity, maxWaitMs: Infinity });
