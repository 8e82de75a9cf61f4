import type { Case } from './cases/case.ts';
import type { Counted, LoadGenerator } from './load.ts';
import type { RunningServer } from './processes.ts';
import type { Line } from './report.ts';
import { median } from './statistics.ts';

export interface Plan {
  rounds: number;
  seconds: number;
  /** Before the first round everything is cold; before the others only the caches are. */
  firstWarmUp: number;
  warmUp: number;
}

/** What one round gave; the processor time is the server's for one request, in microseconds. */
interface Round extends Counted {
  processorTime: number;
}

/** One case at one number of connections, and what its rounds gave so far. */
export interface Measurement {
  subject: Case;
  connections: number;
  server: RunningServer;
  rounds: Round[];
  /** Good answers in all, those of the warm-ups included. */
  acknowledged: number;
}

/**
 * The contestants take turns, so that a slow minute of the machine hits all of them, and every
 * other round goes backwards, so that none always follows the same one. Answers what failed.
 */
export async function runRounds(
  measurements: Measurement[],
  plan: Plan,
  generator: LoadGenerator,
  progress: (text: string) => void,
): Promise<string[]> {
  const failures: string[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    const warmUp = round === 1 ? plan.firstWarmUp : plan.warmUp;
    for (const one of round % 2 === 1 ? measurements : measurements.toReversed()) {
      const label = `round ${round} of ${plan.rounds}: ${labelOf(one)}`;
      const warm = await putUnderLoad(one, warmUp, generator);
      const counted = await putUnderLoad(one, plan.seconds, generator);
      one.rounds.push(counted);
      failures.push(...[warm, counted].flatMap((c) => failuresOf(c, label)));
      progress(`${label}: ${Math.round(rate(counted))} requests/s`);
    }
  }
  return failures;
}

async function putUnderLoad(
  one: Measurement,
  seconds: number,
  generator: LoadGenerator,
): Promise<Round> {
  const { subject, connections, server } = one;
  const request = subject.request(server);
  const before = await server.processorTime();
  const counted = await generator.run({ url: server.url, request, connections, seconds });
  const used = (await server.processorTime()) - before;
  one.acknowledged += counted.requests - (counted.failures.status ?? 0);
  return { ...counted, processorTime: used / counted.requests };
}

/** The medians of the rounds, beside those of the baseline at the same number of connections. */
export function lineOf(one: Measurement, all: Measurement[], baseline: Case): Line {
  const { subject, connections, rounds } = one;
  const base = all.find((m) => m.subject === baseline && m.connections === connections);
  const requestsPerSecond = median(rounds.map(rate));
  return {
    name: subject.name,
    connections,
    requestsPerSecond,
    rounds: rounds.map(rate).toSorted((a, b) => a - b),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    processorTime: median(rounds.map(({ processorTime }) => processorTime)),
    ratio: base ? requestsPerSecond / median(base.rounds.map(rate)) : null,
    target: subject.targets?.[connections] ?? null,
  };
}

const rate = ({ requests, seconds }: Counted): number => requests / seconds;

const labelOf = ({ subject, connections }: Measurement): string =>
  `${subject.name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

const failuresOf = ({ failures, requests }: Counted, label: string): string[] => {
  const failed = Object.entries(failures).filter(([, count]) => count > 0);
  const told = failed.map(([kind, count]) => `${label}: ${count} requests failed (${kind})`);
  return requests > 0 ? told : [...told, `${label}: no request was answered`];
};
