import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { Random } from '../../src/cli/demo/people.ts';
import { newDatabase, STORAGE } from '../support/database.ts';
import { ROOT_KEY } from '../support/service.ts';
import { Receiver } from './receiver.ts';

const NODE = join(import.meta.dirname, 'node.ts');
const KILLS = process.env.LONG ? 30 : 6;
const CREDITS_PER_KILL = 12;
/** On PostgreSQL, two processes share the database and are killed in turns. */
const PROCESSES = STORAGE === 'postgres' ? 2 : 1;

/** A process of the service. */
class Node {
  readonly #databaseUrl: string;
  #child: ChildProcess | null = null;
  url = '';

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async start(): Promise<void> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [NODE, this.#databaseUrl, ROOT_KEY], {
      stdio: [...stdio],
    });
    this.#child = child;
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    this.url = String(line).trim();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async call(method: string, path: string, body?: object, key?: string) {
    const response = await fetch(`${this.url}/api/v4/realms${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ROOT_KEY}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return JSON.parse((await response.text()) || 'null');
  }
}

/** Fails at random, closes connections, hangs and answers slowly. */
function hostile(random: Random) {
  return (response: ServerResponse): void => {
    const dice = random.next();
    if (dice < 0.1) response.writeHead(500).end('no');
    else if (dice < 0.15) response.destroy();
    else if (dice < 0.18) response.writeHead(200).flushHeaders();
    else if (dice < 0.2) return;
    else if (dice < 0.25) setTimeout(() => response.writeHead(200).end('late'), 100);
    else response.writeHead(200).end();
  };
}

test('no event is lost, out of order or invented when processes are killed', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 32);
  t.diagnostic(`SEED=${seed}`);
  const random = new Random(seed);
  const database = await newDatabase();
  const receiver = await Receiver.start();
  const nodes = Array.from({ length: PROCESSES }, () => new Node(database.url));
  t.after(async () => {
    for (const node of nodes) await node.kill();
    await receiver.stop();
    await database.drop();
  });
  for (const node of nodes) await node.start();
  const nodeAt = (index: number): Node => nodes[index % PROCESSES] as Node;
  await nodeAt(0).call('POST', '', { id: 'acme', name: 'Acme', settings: { autoEnroll: true } });
  const hook = await nodeAt(0).call('POST', '/acme/webhooks', { url: receiver.url });
  receiver.answer = hostile(random);

  const credit = (node: Node, key: string) =>
    node.call('PATCH', '/acme/members/7/tokenBalance', { tokens: 1 }, key);
  for (let round = 0; round < KILLS; round++) {
    const [victim, other] = [nodeAt(round), nodeAt(round + 1)];
    for (let count = 0; count < CREDITS_PER_KILL; count++) {
      await credit(count % 2 === 0 ? victim : other, `${round}-${count}`);
    }
    // In the middle of it, or when all is done.
    const some = receiver.received.length + random.between(0, CREDITS_PER_KILL);
    const all = (round + 1) * CREDITS_PER_KILL + 1;
    await receiver.until(() => receiver.received.length >= some || receiver.seqs.length === all);
    await victim.kill();
    await victim.start();
  }

  const { items } = await nodeAt(0).call('GET', `/acme/events?after=${hook.position}&limit=500`);
  await receiver.until(() => receiver.seqs.length >= items.length);
  assert.equal(items.length, KILLS * CREDITS_PER_KILL + 1, 'the member was enrolled, too');
  const expected = items.map((item: { at: string }) => {
    return { ...item, realmId: 'acme', timestamp: item.at };
  });
  const first = receiver.seqs.map(
    (seq) => receiver.received.find(({ event }) => event.seq === seq)?.event,
  );
  assert.deepEqual(first, expected);
  for (const { event } of receiver.received) {
    assert.deepEqual(event, expected[event.seq - hook.position - 1], 'sent again as it was');
  }
  assert.equal(receiver.mostInFlight, 1, 'one process sends at a time');
});
