import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { REALM, randomPair } from '../community.ts';
import { idleRealms } from '../idle-realms.ts';
import type { Listened, Listening } from '../listeners.ts';
import { fill } from '../load.ts';
import type { Plan } from '../plan.ts';
import { startChild, startServer } from '../processes.ts';
import type { Ready } from '../servers/announce.ts';
import { quantile } from '../statistics.ts';
import { bearer, type Case, pathOf } from './case.ts';
import { transfer } from './transfer.ts';
import { transferRequest } from './transfer-request.ts';

/** The same transfers beside 2,000 listeners, each of another realm, who hear nothing. */
export const transferBesideListeners: Case = {
  name: 'durable transfer, 2,000 idle listeners',
  server: 'listened',
  connections: [64],
  reaches: [{ timesOf: transfer, atLeast: { 64: 0.95 } }],
  request: transferRequest,
  check: async (server) => {
    const { counts, stop } = await listen(server, IDLE);
    return async () => {
      const { open, events } = await counts();
      await stop();
      const ok = open === IDLE.length && events === 0;
      const detail = `${open} of ${IDLE.length} streams are open, ${events} events received`;
      return [{ claim: 'idle listeners stay connected and hear nothing', ok, detail }];
    };
  },
};

const IDLE: readonly string[] = idleRealms.map((realmId) => pathOf(realmId, 'events?after=2'));

/** Opens a stream for each path, in another process. */
async function listen(server: Ready, paths: readonly string[]) {
  const { ask, stop } = await startChild('listeners.ts', '.');
  const { hostname: host, port } = new URL(server.url);
  const listening: Listening = { host, port: Number(port), key: server.keys.root ?? '', paths };
  await ask(JSON.stringify(listening));
  return { counts: async (): Promise<Listened> => JSON.parse(await ask('')), stop };
}

const PER_SECOND = 500;
const TICK_MS = 10;
const BUSY = 100;
const PATIENCE_MS = 10_000;
const MIB = 1024 * 1024;

export interface Quantiles {
  p50: number;
  p99: number;
}

/** A steady load, far from what the service can do: alone, and beside listeners. */
export interface StreamResult {
  perSecond: number;
  transfers: number;
  /** Milliseconds from a request to its answer. */
  alone: Quantiles;
  beside: Quantiles;
  /** From the answer to a transfer to the receipt of its event. */
  receipt: Quantiles;
  idle: number;
  busy: number;
  /** Events that the busy listeners did not get, or not in order. */
  lost: number;
  /** The growth of resident memory under the load, in MiB. */
  grown: number;
}

export async function measureStreams(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<StreamResult> {
  progress(`streams beside ${PER_SECOND} transfers a second`);
  const own = join(folder, 'streams');
  mkdirSync(own);
  const server = await startServer('listened', own);
  await transferSteadily(server, plan.firstWarmUp);
  const alone = await transferSteadily(server, plan.streamSeconds);
  const end = Math.max(...alone.map(({ seq }) => seq));
  const paths = Array.from({ length: BUSY }, () => pathOf(REALM, `events?after=${end}`));
  const { counts, stop } = await listen(server, [...IDLE, ...paths]);
  const received = new Map<number, number>();
  const close = await follow(server, end, received);
  const memory = await residentBytes(server);
  const answers = await transferSteadily(server, plan.streamSeconds);
  const lost = await settled(answers, received, counts);
  const grown = ((await residentBytes(server)) - memory) / MIB;
  close();
  await Promise.all([stop(), server.stop()]);
  const receipts = answers.map(({ seq, at }) => (received.get(seq) ?? Number.NaN) - at);
  return {
    perSecond: PER_SECOND,
    transfers: answers.length,
    alone: quantilesOf(alone.map(({ ms }) => ms)),
    beside: quantilesOf(answers.map(({ ms }) => ms)),
    receipt: quantilesOf(receipts),
    idle: IDLE.length,
    busy: BUSY,
    lost,
    grown,
  };
}

const quantilesOf = (values: number[]): Quantiles => ({
  p50: quantile(values, 0.5),
  p99: quantile(values, 0.99),
});

/** Waits for the last events, and returns how many are missing or out of order. */
async function settled(
  answers: Answered[],
  received: Map<number, number>,
  counts: () => Promise<Listened>,
): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { events, outOfOrder } = await counts();
    const missing = BUSY * answers.length - events;
    const isHere = answers.every(({ seq }) => received.has(seq));
    if ((missing <= 0 && isHere) || performance.now() > deadline) {
      return Math.abs(missing) + outOfOrder;
    }
    await new Promise((next) => setTimeout(next, TICK_MS));
  }
}

async function residentBytes({ url, keys }: Ready): Promise<number> {
  const headers = { authorization: `Bearer ${keys.root}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

/** Records when each event was received, until the result is called. */
function follow(server: Ready, after: number, received: Map<number, number>): Promise<() => void> {
  const headers = { ...bearer(server), accept: 'text/event-stream' };
  const path = pathOf(REALM, `events?after=${after}`);
  return new Promise((resolve, reject) => {
    const call = request(server.url + path, { headers, agent: false }, (stream) => {
      let rest = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        const now = performance.now();
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('id: ')) received.set(+line.slice(4), now);
      });
      stream.on('error', () => undefined);
      resolve(() => call.destroy());
    });
    call.once('error', reject).end();
  });
}

interface Answered {
  seq: number;
  /** When it was answered, and after how long. */
  at: number;
  ms: number;
}

async function transferSteadily(server: Ready, seconds: number): Promise<Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const start = performance.now();
  const sent: Promise<Answered>[] = [];
  while (performance.now() < start + seconds * 1_000) {
    const due = ((performance.now() - start) / 1_000) * PER_SECOND;
    while (sent.length < due) sent.push(transferOnce(server, agent));
    await new Promise((next) => setTimeout(next, TICK_MS));
  }
  const answers = await Promise.all(sent);
  agent.destroy();
  return answers;
}

function transferOnce(server: Ready, agent: Agent): Promise<Answered> {
  const slots = { realm: REALM, ...randomPair(), key: randomUUID() };
  const { method, path, headers, body } = fill(transferRequest(server), slots);
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const options = { method, agent, headers: { ...headers, 'content-length': body.length } };
    const call = request(server.url + path, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => {
        const at = performance.now();
        const { transactionId } = JSON.parse(text) as { transactionId?: number };
        if (transactionId === undefined) reject(new Error(`a transfer got ${text}`));
        else resolve({ seq: transactionId, at, ms: at - start });
      });
    });
    call.once('error', reject).end(body);
  });
}
