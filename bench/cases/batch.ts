import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { BATCH_MEMBERS, firstMembers, MAX_ENTRIES, REALM } from '../community.ts';
import type { Plan } from '../plan.ts';
import { type Child, type RunningServer, startChild, startServer } from '../processes.ts';
import type { Ready } from '../servers/announce.ts';
import { median } from '../statistics.ts';
import { bearer, pathOf } from './case.ts';

/** One batch is parsed and answered while another one is written. */
const AT_ONCE = 2;
const RAW_WARM_UP = 5;
export const BATCH_TARGET = 20_000;

/** Batches of 1,000 entries over HTTP, and their rows written by SQLite alone. */
export interface BatchResult {
  entries: number;
  /** In a row. */
  batches: number;
  atOnce: number;
  /** Until they are answered: statements and leaderboards have them by then. */
  entriesPerSecond: number;
  /** Milliseconds from a request to its answer. */
  p50: number;
  /** Microseconds of processor time for one entry. */
  processorTime: number;
  rawPerSecond: number;
}

type Round = Pick<BatchResult, 'entriesPerSecond' | 'p50' | 'processorTime' | 'rawPerSecond'>;

export async function measureBatches(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<BatchResult> {
  progress('batches of 1,000 entries');
  const own = join(folder, 'batches');
  mkdirSync(own);
  const server = await startServer('batches', own);
  const raw = await startChild('raw-batches.ts', own);
  const send = sender(server);
  await warmUp(plan, send, raw);
  const rounds: Round[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    rounds.push(await measure(plan.batches, server, send, raw));
    const { entriesPerSecond } = rounds.at(-1) as Round;
    progress(`batches, round ${round}: ${Math.round(entriesPerSecond)} entries/s`);
  }
  await Promise.all([server.stop(), raw.stop()]);
  const of = (name: keyof Round) => median(rounds.map((round) => round[name]));
  return {
    entries: MAX_ENTRIES,
    batches: plan.batches,
    atOnce: AT_ONCE,
    entriesPerSecond: of('entriesPerSecond'),
    p50: of('p50'),
    processorTime: of('processorTime'),
    rawPerSecond: of('rawPerSecond'),
  };
}

async function warmUp(plan: Plan, send: () => Promise<number>, raw: Child): Promise<void> {
  const end = performance.now() + plan.firstWarmUp * 1_000;
  while (performance.now() < end) await Promise.all(Array.from({ length: AT_ONCE }, send));
  await raw.ask(String(RAW_WARM_UP));
}

/** From the first request to the last answer, so that no batch is cut off. */
async function measure(
  batches: number,
  server: RunningServer,
  send: () => Promise<number>,
  raw: Child,
): Promise<Round> {
  const entries = batches * MAX_ENTRIES;
  const before = await server.processorTime();
  const start = performance.now();
  const times: number[] = [];
  let begun = 0;
  const sendSome = async (): Promise<void> => {
    while (begun++ < batches) times.push(await send());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  const answered = performance.now() - start;
  const used = (await server.processorTime()) - before;
  const rawTime = Number(await raw.ask(String(batches)));
  return {
    entriesPerSecond: (entries * 1_000) / answered,
    p50: median(times),
    processorTime: used / entries,
    rawPerSecond: (entries * 1_000) / rawTime,
  };
}

/** Sends entries for the next members each time; returns the latency in milliseconds. */
function sender(server: Ready): () => Promise<number> {
  const all = firstMembers(BATCH_MEMBERS).map((memberId) => ({ memberId, tokens: 1 }));
  const bodies = Array.from({ length: BATCH_MEMBERS / MAX_ENTRIES }, (_, part) => {
    const entries = all.slice(part * MAX_ENTRIES, (part + 1) * MAX_ENTRIES);
    return Buffer.from(JSON.stringify({ entries }));
  });
  let sent = 0;
  const headers = { ...bearer(server), 'content-type': 'application/json' };
  const agent = new Agent({ keepAlive: true });
  const url = server.url + pathOf(REALM, 'members/tokenBalance');
  return () =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const body = bodies[sent++ % bodies.length] as Buffer;
      const own = { 'content-length': body.length, 'idempotency-key': randomUUID() };
      const options = { method: 'PATCH', agent, headers: { ...headers, ...own } };
      const call = request(url, options, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a batch got ${answer.statusCode}`));
        answer.resume().once('end', () => resolve(performance.now() - start));
      });
      call.once('error', reject).end(body);
    });
}
