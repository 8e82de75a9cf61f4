import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookReport } from '../../src/domain/webhook.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { command, REALM } from '../domain/histories.ts';
import { newDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

/** A realm with two webhooks, whose secrets are sealed with the keys `one` and `two`. */
async function open(t: { after: (end: () => unknown) => void }, given?: TestDatabase) {
  const database = given ?? (await newDatabase());
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  for (const id of ['one', 'two']) await create(ledger, id);
  return ledger;
}

const create = (ledger: Ledger, id: string) =>
  ledger.execute(
    command('webhook.create', {
      newWebhook: { id, secret: `${id}.sealed` },
      url: 'https://bot.example/',
      types: [],
      description: null,
      target: 'allowed',
    }),
  );

const lease = (ledger: Ledger, owner: string, ms: number, sealedBy = 'one') =>
  ledger.housekeeping.leaseWebhooks({ owner, sealedBy, ms });

const report = (position: number): WebhookReport => ({
  realmId: REALM,
  webhookId: 'one',
  progressOf: 2,
  position,
  attempts: 1,
  failingSince: 5,
  nextAt: 7,
  deliveries: [],
});

const webhook = async (ledger: Ledger) =>
  (await ledger.query('webhooks', { realmId: REALM })).find(({ id }) => id === 'one');

test('one process has the lease, until it expires or is released', async (t) => {
  const ledger = await open(t);
  const [held, ...others] = await lease(ledger, 'a', 60_000);
  assert.deepEqual([held?.id, held?.realmId, held?.lastSeq], ['one', REALM, 3]);
  assert.equal(others.length, 0, 'it cannot sign for the other one');
  assert.deepEqual(await lease(ledger, 'b', 60_000), []);
  assert.equal((await lease(ledger, 'other', 60_000, 'two')).length, 1);
  assert.equal((await lease(ledger, 'a', 60_000)).length, 1);
  await ledger.housekeeping.releaseWebhooks('a');
  assert.equal((await lease(ledger, 'b', 60_000)).length, 1);
  assert.deepEqual(await lease(ledger, 'c', 60_000), []);
  // Its answer says nothing: the lease may have expired before it was read.
  await lease(ledger, 'b', 1);
  await eventually(
    async () => lease(ledger, 'c', 60_000),
    (leased) => leased.length === 1,
  );
  assert.deepEqual(await lease(ledger, 'b', 60_000), []);
});

test('only the owner of the lease stores progress, and a restart makes it void', async (t) => {
  const ledger = await open(t);
  const save = (owner: string, position: number) =>
    ledger.housekeeping.saveReports({ owner, reports: [report(position)] });
  await lease(ledger, 'a', 60_000);
  await save('a', 3);
  await save('b', 99);
  const progress = { position: 3, attempts: 1, failingSince: 5, nextAt: 7 };
  assert.deepEqual({ ...(await webhook(ledger)), ...progress }, await webhook(ledger));
  await ledger.execute(command('webhook.replay', { webhookId: 'one', fromSeq: 1 }));
  // The process has not noticed yet.
  await save('a', 4);
  const anew = { position: 0, attempts: 0, failingSince: null, nextAt: 0 };
  assert.deepEqual({ ...(await webhook(ledger)), ...anew }, await webhook(ledger));
});

test('a pause by the service has no effect on a webhook that was restarted', async (t) => {
  const ledger = await open(t);
  const pause = { webhookId: 'one', startSeq: 2, reason: 'failing' } as const;
  await ledger.execute(command('webhook.replay', { webhookId: 'one', fromSeq: 1 }));
  await ledger.execute(command('webhook.pause', pause));
  assert.equal((await webhook(ledger))?.pausedAt, null);
  await ledger.execute(command('webhook.pause', { ...pause, startSeq: 4 }));
  assert.equal((await webhook(ledger))?.pauseReason, 'failing');
  assert.deepEqual(await lease(ledger, 'a', 60_000), []);
});

test('the newest 200 deliveries are kept, and none of a deleted webhook', async (t) => {
  const database = await newDatabase();
  const ledger = await open(t, database);
  const stored = async () =>
    (await database.rows('SELECT delivery_id FROM webhook_deliveries')).length;
  await lease(ledger, 'a', 60_000);
  const deliveries = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      webhookId: 'one',
      id: from + index,
      seq: 1,
      type: 'realm.created',
      attempt: 1,
      at: from,
      latencyMs: 3,
      status: null,
      answer: 'a "quoted" \\ answer\n, {é}',
      error: 'timeout' as const,
    }));
  for (const from of [1, 101, 201]) {
    const reports = [{ ...report(3), deliveries: deliveries(from, 100) }];
    await ledger.housekeeping.saveReports({ owner: 'a', reports });
  }
  const page = { realmId: REALM, webhookId: 'one', before: null, limit: 500 };
  const found = await ledger.query('deliveries', page);
  assert.deepEqual(
    found?.rows,
    deliveries(101, 200)
      .map((one) => ({ ...one, at: one.id > 200 ? 201 : 101 }))
      .reverse(),
  );
  const next = await ledger.query('deliveries', { ...page, before: 299, limit: 2 });
  assert.deepEqual(
    next?.rows.map(({ id }) => id),
    [298, 297],
  );
  assert.equal(next?.hasMore, true);
  assert.equal(await stored(), 200);
  await ledger.execute(command('webhook.delete', { webhookId: 'one' }));
  assert.equal(await ledger.query('deliveries', page), null);
  assert.equal(await stored(), 0);
  // A process that has not noticed yet.
  const late = [{ ...report(3), deliveries: deliveries(301, 1) }];
  await ledger.housekeeping.saveReports({ owner: 'a', reports: late });
  assert.equal(await stored(), 0);
});
