import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { wholeData } from '../../src/domain/records.ts';
import { InDoubt, Unavailable } from '../../src/ledger/errors.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { verdictOf } from '../support/verdict.ts';

/**
 * A network that delays a message, drops the connection, and delivers the message later: a batch
 * that was reported as not written must not be written then.
 */
const COMMIT = Buffer.from('COMMIT\0');
const database = await newPostgresDatabase();
const target = new URL(database.url);

const network = { delaysNext: false, dropsAfterMs: 0 };
let delayed: { chunk: Buffer; server: Socket } | null = null;

/** Delivers the delayed message; resolves when the server has answered or rejected it. */
async function deliver(): Promise<void> {
  assert.ok(delayed, 'nothing was delayed');
  const { chunk, server } = delayed;
  delayed = null;
  if (server.destroyed) return;
  // The server may have closed the connection, which rejects the message.
  const answered = new Promise((next) => server.once('data', next).once('close', next));
  server.write(chunk);
  await answered;
}

const listener = createServer((client) => {
  const server = connect(Number(target.port), target.hostname);
  let isDropped = false;
  for (const socket of [client, server]) socket.on('error', () => undefined);
  client.on('close', () => isDropped || server.end());
  server.on('close', () => client.end());
  server.on('data', async (chunk: Buffer) => {
    if (isDropped) return;
    // Between the answer whether it was written and its use.
    if (delayed && chunk.includes(COMMIT)) await deliver();
    client.write(chunk);
  });
  client.on('data', (chunk: Buffer) => {
    if (isDropped) return;
    if (!network.delaysNext || !chunk.includes(COMMIT)) return void server.write(chunk);
    [network.delaysNext, isDropped] = [false, true];
    delayed = { chunk, server };
    setTimeout(() => client.destroy(), network.dropsAfterMs);
  });
}).listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address() as { port: number };
const url = Object.assign(new URL(database.url), { port }).href;
const ledger = new InProcessLedger(await openPostgresStore(url));
/** Reports an unknown outcome at once, as if the database were away. */
const hasty = new InProcessLedger(await openPostgresStore(url, { settleMs: 0 }));
after(async () => {
  await Promise.all([ledger.close(), hasty.close()]);
  listener.close();
  await database.drop();
});

/** How many credits in the journal have this description. */
async function timesOf(realmId: string, description: string): Promise<number> {
  const records = await ledger.query('records', { realmId, after: 0, limit: 500 });
  const descriptions = records.rows.map((record) => JSON.parse(wholeData(record)).description);
  return descriptions.filter((each) => each === description).length;
}

test('a credit that was delivered late is done once', async () => {
  answerOf(await ledger.execute(create('late')));
  for (let round = 0; round < 2; round++) answerOf(await ledger.execute(credit('late')));
  Object.assign(network, { delaysNext: true, dropsAfterMs: 0 });
  assert.equal(answerOf(await ledger.execute(credit('late', 'once'))).newBalance, 3);
  assert.equal(delayed, null);
  assert.equal(await timesOf('late', 'once'), 1);
  assert.equal((await verdictOf(ledger, 'late'))?.ok, true);
});

test('a repeated credit waits for no lost session that was to commit it', async () => {
  const idempotency = { key: 'again', fingerprint: 'same' };
  const keyed = { ...credit('again', 'again'), idempotency };
  answerOf(await hasty.execute(create('again')));
  for (let round = 0; round < 2; round++) answerOf(await hasty.execute(credit('again')));
  Object.assign(network, { delaysNext: true, dropsAfterMs: 0 });
  await assert.rejects(hasty.execute(keyed), InDoubt);
  assert.equal(answerOf(await hasty.execute(keyed)).newBalance, 3);
  assert.equal(delayed, null);
  assert.equal(await timesOf('again', 'again'), 1);
});

test('a credit that was rejected because it took too long is not done later', async () => {
  answerOf(await ledger.execute(create('refused')));
  answerOf(await ledger.execute(credit('refused')));
  // Longer than a batch is retried.
  Object.assign(network, { delaysNext: true, dropsAfterMs: 5_200 });
  await assert.rejects(ledger.execute(credit('refused', 'never')), Unavailable);
  assert.equal(delayed, null);
  assert.equal(await timesOf('refused', 'never'), 0);
  assert.equal(answerOf(await ledger.execute(credit('refused'))).newBalance, 2);
});
