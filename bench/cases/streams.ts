import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { memberIds, REALM, randomPair } from '../community.ts';
import { idleRealms } from '../idle-realms.ts';
import type { Listened, Listening } from '../listeners.ts';
import { fill } from '../load.ts';
import type { Plan } from '../plan.ts';
import { startChild, startServer } from '../processes.ts';
import type { Ready } from '../servers/announce.ts';
import { quantile } from '../statistics.ts';
import { bearer, type Case, pathOf, projected } from './case.ts';
import { transfer, transferRequest } from './transfer.ts';

/** The same transfers beside 2,000 listeners, each of another realm, who hear nothing. */
export const transferBesideListeners: Case = {
  name: 'durable transfer, 2,000 idle listeners',
  server: 'listened',
  connections: [64],
  reaches: [{ timesOf: transfer, atLeast: { 64: 0.95 } }],
  request: transferRequest,
  settle: projected,
  check: async (server) => {
    const { ask, stop } = await startChild('listeners.ts', '.');
    const { hostname: host, port } = new URL(server.url);
    const paths = idleRealms.map((realmId) => pathOf(realmId, 'events?after=2'));
    const listening: Listening = { host, port: Number(port), key: server.keys.root ?? '', paths };
    await ask(JSON.stringify(listening));
    return async () => {
      const { open, events }: Listened = JSON.parse(await ask(''));
      await stop();
      const ok = open === paths.length && events === 0;
      const detail = `${open} of ${paths.length} streams are open, ${events} events received`;
      return [{ claim: 'idle listeners stay connected and hear nothing', ok, detail }];
    };
  },
};

const PER_SECOND = 500;
const TICK_MS = 10;
export const LATENCY_TARGETS = { p50: 5, p99: 50 };

/** Milliseconds from the answer to a transfer to the receipt of its event, negative if earlier. */
export interface StreamResult {
  perSecond: number;
  transfers: number;
  p50: number;
  p99: number;
  /** From the request to its answer, for comparison. */
  answerP50: number;
  answerP99: number;
}

/** A steady load, far from what the service can do, and one listener. */
export async function measureStreams(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<StreamResult> {
  progress(`a stream beside ${PER_SECOND} transfers a second`);
  const own = join(folder, 'streams');
  mkdirSync(own);
  const server = await startServer('realmkeep', own);
  const received = new Map<number, number>();
  const close = await follow(server, received);
  await transferSteadily(server, plan.firstWarmUp);
  const answers = await transferSteadily(server, plan.rounds * plan.seconds);
  // The last ones are on their way.
  while (!answers.every(({ seq }) => received.has(seq))) {
    await new Promise((next) => setTimeout(next, TICK_MS));
  }
  close();
  await server.stop();
  const delays = answers.map(({ seq, at }) => (received.get(seq) ?? Number.NaN) - at);
  const took = answers.map(({ ms }) => ms);
  return {
    perSecond: PER_SECOND,
    transfers: answers.length,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    answerP50: quantile(took, 0.5),
    answerP99: quantile(took, 0.99),
  };
}

/** Records when each event was received, until the result is called. */
function follow(server: Ready, received: Map<number, number>): Promise<() => void> {
  const headers = { ...bearer(server), accept: 'text/event-stream' };
  const path = pathOf(REALM, `events?after=${2 * memberIds.length}`);
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
