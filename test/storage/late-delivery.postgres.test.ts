import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { Unavailable } from '../../src/engine/errors.ts';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';

/**
 * A network that keeps what was sent, breaks the connection, and delivers it when nobody thinks of
 * it any more: a batch that was said not to be written must not be written then.
 */
const COMMIT = Buffer.from('COMMIT\0');
const database = await newPostgresDatabase();
const target = new URL(database.url);

const network = { keepsNext: false, breaksAfterMs: 0 };
let kept: { chunk: Buffer; server: Socket } | null = null;

/** Delivers what was kept; resolves when the server has answered it, or will have none of it. */
async function deliver(): Promise<void> {
  assert.ok(kept, 'nothing was kept');
  const { chunk, server } = kept;
  kept = null;
  if (server.destroyed) return;
  // A connection that the server has ended may fail before it closes: that is an answer, too.
  const answered = new Promise((next) => server.once('data', next).once('close', next));
  server.write(chunk);
  await answered;
}

const listener = createServer((client) => {
  const server = connect(Number(target.port), target.hostname);
  let isBroken = false;
  for (const socket of [client, server]) socket.on('error', () => undefined);
  client.on('close', () => isBroken || server.end());
  server.on('close', () => client.end());
  server.on('data', async (chunk: Buffer) => {
    if (isBroken) return;
    // Between the answer whether it was written and what is made of that.
    if (kept && chunk.includes(COMMIT)) await deliver();
    client.write(chunk);
  });
  client.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    if (!network.keepsNext || !chunk.includes(COMMIT)) return void server.write(chunk);
    [network.keepsNext, isBroken] = [false, true];
    kept = { chunk, server };
    setTimeout(() => client.destroy(), network.breaksAfterMs);
  });
}).listen(0, '127.0.0.1');
await once(listener, 'listening');
const { port } = listener.address() as { port: number };
const url = Object.assign(new URL(database.url), { port }).href;
const ledger = new InProcessLedger(await openPostgresStore(url));
after(async () => {
  await ledger.close();
  listener.close();
  await database.drop();
});

/** How often a credit of this description is in the journal. */
async function timesOf(realmId: string, description: string): Promise<number> {
  const records = await ledger.query('records', { realmId, after: 0, limit: 500 });
  return records.filter(({ data }) => JSON.parse(data).description === description).length;
}

for (const [way, before] of [
  ['by reading', 2],
  ['by memory', 20],
] as const) {
  const realmId = way.replace(' ', '-');

  test(`a credit that was decided ${way} and comes late is done once`, async () => {
    answerOf(await ledger.execute(create(realmId)));
    for (let round = 0; round < before; round++) answerOf(await ledger.execute(credit(realmId)));
    Object.assign(network, { keepsNext: true, breaksAfterMs: 0 });
    const { newBalance } = answerOf(await ledger.execute(credit(realmId, 'late')));
    assert.equal(newBalance, before + 1);
    assert.equal(kept, null);
    assert.equal(await timesOf(realmId, 'late'), 1);
    assert.equal((await ledger.query('verify', { realmId }))?.ok, true);
  });
}

test('a credit that was refused since it took too long is not done later', async () => {
  answerOf(await ledger.execute(create('refused')));
  for (let round = 0; round < 20; round++) answerOf(await ledger.execute(credit('refused')));
  // Longer than a batch is tried again.
  Object.assign(network, { keepsNext: true, breaksAfterMs: 5_200 });
  await assert.rejects(ledger.execute(credit('refused', 'never')), Unavailable);
  assert.equal(kept, null);
  assert.equal(await timesOf('refused', 'never'), 0);
  assert.equal(answerOf(await ledger.execute(credit('refused'))).newBalance, 21);
});
