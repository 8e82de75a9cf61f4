import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CommandOf } from '../src/domain/commands.ts';
import type { Keeper } from '../src/domain/keeper.ts';
import { LocalKeeper } from '../src/domain/local-keeper.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { enrol, mustBeAccepted, REALM, randomPair } from './community.ts';
import { median, quantile } from './statistics.ts';

/**
 * The engine without HTTP and threads: transfers through a keeper on SQLite, in groups that arrive
 * at once. A group of one shows what a single durable commit costs on this disk. It runs as a
 * process of its own: `node bench/engine.ts <folder> <rounds> <seconds a round>`.
 */
const GROUPS = [1, 64, 1_024];
const WARM_UP_SECONDS = 0.5;

export interface EngineResult {
  group: number;
  transfersPerSecond: number;
  /** Milliseconds until the whole group is durable. */
  p50: number;
  p99: number;
}

if (import.meta.main) {
  const [folder = '.', rounds = '1', seconds = '1'] = process.argv.slice(2);
  // Standard input closes when the benchmark is killed: then this must end, too.
  process.stdin.resume().once('end', () => process.exit(1));
  const results = await benchmark(folder, Number(rounds), Number(seconds));
  console.log(JSON.stringify(results));
  process.exit(0);
}

async function benchmark(folder: string, rounds: number, seconds: number): Promise<EngineResult[]> {
  const keeper = new LocalKeeper(openSqliteStore(join(folder, 'engine.db')));
  await enrol(keeper);
  for (const group of GROUPS) await measure(keeper, group, WARM_UP_SECONDS);
  const measured = GROUPS.map((group) => ({ group, runs: [] as EngineResult[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { group, runs } of measured) runs.push(await measure(keeper, group, seconds));
  }
  await keeper.close();
  return measured.map(({ group, runs }) => ({
    group,
    transfersPerSecond: median(runs.map((run) => run.transfersPerSecond)),
    p50: median(runs.map((run) => run.p50)),
    p99: median(runs.map((run) => run.p99)),
  }));
}

async function measure(keeper: Keeper, group: number, seconds: number): Promise<EngineResult> {
  const times: number[] = [];
  let total = 0;
  while (total < seconds * 1_000) {
    const commands = Array.from({ length: group }, transferCommand);
    const start = performance.now();
    const outcomes = await Promise.all(commands.map((command) => keeper.execute(command)));
    const time = performance.now() - start;
    for (const outcome of outcomes) mustBeAccepted(outcome);
    times.push(time);
    total += time;
  }
  return {
    group,
    transfersPerSecond: (group * times.length * 1_000) / total,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

function transferCommand(): CommandOf<'points.transfer'> {
  const { member, other } = randomPair();
  const key = randomUUID();
  return {
    type: 'points.transfer',
    realmId: REALM,
    actor: 'cli',
    // About as long as the text that the HTTP side makes of a request.
    idempotency: { key, request: key.repeat(3) },
    memberId: member,
    recipientId: other,
    tokens: 1,
    realmPointId: null,
    description: null,
  };
}
