import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CallsRequest, CallsResult } from '../client-calls.ts';
import type { Plan } from '../plan.ts';
import { type Child, type RunningServer, startChild, startServer } from '../processes.ts';
import { quantile } from '../statistics.ts';

/** The processor time of a call through the client, as a multiple of bare `fetch`. */
export const CLIENT_AT_MOST = 1.1;

/** Calls in a turn: short ones, so that a slow moment of the machine affects both ways. */
const CALLS = 100;
/** Other work on the machine only adds to a turn, so the quickest tenth shows the cost. */
const QUICKEST = 0.1;

/** Microseconds of processor time for one `get` of a member, in the process that calls. */
export interface ClientResult {
  byClient: number;
  byFetch: number;
  ratio: number;
  turns: number;
}

type Turn = Pick<ClientResult, 'byClient' | 'byFetch'>;

export async function measureClient(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<ClientResult> {
  progress('the client and bare fetch');
  const own = join(folder, 'client');
  mkdirSync(own);
  const server = await startServer('realmkeep', own);
  const caller = await startChild('client-calls.ts', own);
  await turnsFor(plan.firstWarmUp, server, caller);
  const turns = await turnsFor(2 * plan.rounds * plan.seconds, server, caller);
  await Promise.all([server.stop(), caller.stop()]);
  const of = (name: keyof Turn) =>
    quantile(
      turns.map((turn) => turn[name]),
      QUICKEST,
    );
  const [byClient, byFetch] = [of('byClient'), of('byFetch')];
  return { byClient, byFetch, ratio: byClient / byFetch, turns: turns.length };
}

/** Both ways alternate, and every other turn in reverse order: what follows pays for garbage. */
async function turnsFor(seconds: number, server: RunningServer, caller: Child): Promise<Turn[]> {
  const { url, keys } = server;
  const timeBy = async (by: CallsRequest['by']): Promise<number> => {
    const request: CallsRequest = { server: { url, keys }, by, calls: CALLS };
    const result = JSON.parse(await caller.ask(JSON.stringify(request))) as CallsResult;
    return result.processorTime;
  };
  const turns: Turn[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const byFetch = await timeBy('fetch');
    turns.push({ byClient: await timeBy('client'), byFetch });
    const byClient = await timeBy('client');
    turns.push({ byClient, byFetch: await timeBy('fetch') });
  }
  return turns;
}
