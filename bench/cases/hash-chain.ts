import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineReady, EngineRequest, EngineResult } from '../engine.ts';
import type { Plan } from '../plan.ts';
import { type Child, startChild } from '../processes.ts';
import { median } from '../statistics.ts';

/** A group of one shows the cost of a single durable commit on this disk. */
const GROUPS = [1, 64, 1_024];
const WARM_UP_GROUP = 64;
/** Turns in a round: short ones, so that both engines see the same machine. */
const TURNS = 4;

/** The engine on groups of one size, with the hash chain and without it. */
export interface EngineLine extends EngineResult {
  group: number;
  withoutChain: EngineResult;
  /** By how much the chain lowers the throughput: the median of the turns. */
  chainTakes: number;
}

interface Pair {
  chained: EngineResult;
  unchained: EngineResult;
}

/** Two engines alternate, so that a slow minute of the machine affects both. */
export async function measureEngine(
  plan: Plan,
  folder: string,
  progress: (text: string) => void,
): Promise<EngineLine[]> {
  progress('the engine alone, with the hash chain and without it');
  const chained = await startEngine(folder, 'engine');
  const unchained = await startEngine(folder, 'engine-without-chain', 'without-chain');
  for (const engine of [chained, unchained]) {
    await ask(engine, { group: WARM_UP_GROUP, seconds: plan.firstWarmUp });
  }
  const measured = GROUPS.map((group) => ({ group, pairs: [] as Pair[] }));
  for (let turn = 0; turn < plan.rounds * TURNS; turn++) {
    for (const { group, pairs } of measured) {
      const what = { group, seconds: plan.engineSeconds / TURNS };
      pairs.push({ chained: await ask(chained, what), unchained: await ask(unchained, what) });
    }
  }
  await Promise.all([chained.stop(), unchained.stop()]);
  return measured.map(({ group, pairs }) => ({
    group,
    ...medians(pairs.map((pair) => pair.chained)),
    withoutChain: medians(pairs.map((pair) => pair.unchained)),
    chainTakes: median(pairs.map(shareTaken)),
  }));
}

async function startEngine(folder: string, name: string, preload?: string): Promise<Child> {
  const own = join(folder, name);
  mkdirSync(own);
  const engine = await startChild('engine.ts', own, preload);
  const { makesHashes } = JSON.parse(engine.ready) as EngineReady;
  if (makesHashes !== (preload === undefined))
    throw new Error(`${name}: the hash chain is not as expected`);
  return engine;
}

const ask = async (engine: Child, what: EngineRequest): Promise<EngineResult> =>
  JSON.parse(await engine.ask(JSON.stringify(what))) as EngineResult;

const shareTaken = ({ chained, unchained }: Pair): number =>
  1 - chained.transfersPerSecond / unchained.transfersPerSecond;

function medians(answers: EngineResult[]): EngineResult {
  const of = (name: keyof EngineResult) => median(answers.map((answer) => answer[name]));
  return {
    transfersPerSecond: of('transfersPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    processorTime: of('processorTime'),
  };
}
