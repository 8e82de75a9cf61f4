import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_PERSONAL_PART } from '../../src/domain/records.ts';
import type { JournalRecord } from '../../src/domain/rules/journal.ts';
import type { LeasedWebhook } from '../../src/domain/webhook.ts';
import { Gate } from '../../src/ledger/gate.ts';
import { Courier, type CourierParts } from '../../src/webhooks/courier.ts';
import { newSecret, SecretBox } from '../../src/webhooks/messages.ts';
import { RETRY_SCHEDULE } from '../../src/webhooks/retries.ts';

const slot = new Gate({ window: 1, perRealm: 1, inAll: 1 });
const box = new SecretBox('a key that is long enough for a test');

/** Created by record 2, and leased when the journal had three. */
const leased: LeasedWebhook = {
  realmId: 'acme',
  id: 'hook',
  url: 'https://bot.example/',
  types: [],
  description: null,
  createdAt: 0,
  updatedAt: 0,
  pausedAt: null,
  pauseReason: null,
  previousUntil: null,
  position: null,
  attempts: null,
  failingSince: null,
  nextAt: null,
  progressOf: null,
  secret: box.seal(newSecret(), 'acme/hook'),
  previousSecret: null,
  startSeq: 2,
  startAfter: 3,
  leaseOwner: 'test',
  leaseUntil: null,
  lastSeq: 3,
};

const record = (seq: number, type: string): JournalRecord => ({
  seq,
  type,
  at: 0,
  actor: 'test',
  data: '{"webhookId":"hook"}',
  hash: '',
  ...NO_PERSONAL_PART,
});

/** A courier of a journal that can be added to; its re-reading of the webhook is answered late. */
function follow(t: { after: (end: () => unknown) => void }) {
  const journal = [record(4, 'webhook.paused')];
  const sent: number[] = [];
  const asked = Promise.withResolvers<void>();
  const row = Promise.withResolvers<LeasedWebhook>();
  const first = Promise.withResolvers<void>();
  const query = async (name: string, { after = 0 }: { after?: number }) => {
    if (name === 'records') return { rows: journal.filter(({ seq }) => seq > after) };
    asked.resolve();
    return row.promise;
  };
  const post = async ({ headers }: { headers: Record<string, string> }) => {
    sent.push(Number(headers['webhook-id']?.split('_').at(-1)));
    first.resolve();
    return { status: 204, latencyMs: 1, answer: '', error: null, retryAfterMs: null };
  };
  const courier = new Courier(leased, {
    ledger: { query } as unknown as CourierParts['ledger'],
    client: { post } as unknown as CourierParts['client'],
    box,
    slots: { quick: slot, slow: slot },
    schedule: RETRY_SCHEDULE,
    clock: () => 0,
    onOutcome: () => undefined,
    onFailure: (error) => assert.fail(error),
  });
  t.after(() => courier.end());
  return { courier, journal, sent, asked: asked.promise, first: first.promise, row };
}

test('a row that is older than what is known neither pauses nor restarts', async (t) => {
  const { courier, journal, sent, asked, first, row } = follow(t);
  await asked;
  journal.push(record(5, 'webhook.resumed'), record(6, 'points.added'));
  const resumed = { ...leased, startSeq: 5, startAfter: 5, lastSeq: 6 };
  courier.update(resumed);
  row.resolve({ ...leased, pausedAt: 1, pauseReason: 'requested' });
  await first;
  // A lease of an older instant.
  courier.update({ ...leased, lastSeq: 4 });
  courier.update({ ...leased, startSeq: 4, startAfter: 0, lastSeq: 6 });
  journal.push(record(7, 'points.added'));
  courier.onGrown();
  await courier.end();
  assert.deepEqual(sent.slice(0, 1), [6]);
  assert.ok(!sent.includes(4) && !sent.includes(5), String(sent));
});
