import type { Case } from './cases/case.ts';
import { memberIds, REALM } from './community.ts';
import type { LoadGenerator, LoadResult } from './load.ts';
import type { Plan } from './plan.ts';
import type { RunningServer } from './processes.ts';
import type { Comparison, Line } from './report.ts';
import type { Reach } from './report-reaches.ts';
import { median } from './statistics.ts';

/** The result of a round; the processor time is the server's per request, in microseconds. */
interface Round extends LoadResult {
  processorTime: number;
}

/** One case at one number of connections, with the results of its rounds. */
export interface Measurement {
  subject: Case;
  connections: number;
  server: RunningServer;
  rounds: Round[];
  /** The number of successful answers, including the warm-ups. */
  acknowledged: number;
}

/**
 * The cases alternate, so that a slow minute of the machine affects all of them, and every other
 * round is in reverse order, so that none always follows the same one. Returns the failures.
 */
export async function runRounds(
  measurements: Measurement[],
  plan: Plan,
  generator: LoadGenerator,
  progress: (text: string) => void,
): Promise<string[]> {
  const failures: string[] = [];
  const load = async (one: Measurement, seconds: number, label: string): Promise<Round> => {
    const counted = await putUnderLoad(one, seconds, generator);
    failures.push(...failuresOf(counted, label));
    return counted;
  };
  for (const one of warmedUp(measurements)) {
    progress(`warm-up: ${labelOf(one)}`);
    await load(one, plan.firstWarmUp, `warm-up: ${labelOf(one)}`);
  }
  for (let round = 1; round <= plan.rounds; round++) {
    for (const one of round % 2 === 1 ? measurements : measurements.toReversed()) {
      const label = `round ${round} of ${plan.rounds}: ${labelOf(one)}`;
      if (plan.warmUp > 0) await load(one, plan.warmUp, label);
      const counted = await load(one, plan.seconds, label);
      one.rounds.push(counted);
      progress(`${label}: ${Math.round(rate(counted))} requests/s`);
    }
  }
  return failures;
}

/** Each case once, at its median number of connections: enough to keep the server busy. */
function warmedUp(measurements: Measurement[]): Measurement[] {
  return [...Map.groupBy(measurements, ({ subject }) => subject).values()].flatMap(
    (own) => own[own.length >> 1] ?? [],
  );
}

async function putUnderLoad(
  one: Measurement,
  seconds: number,
  generator: LoadGenerator,
): Promise<Round> {
  const { subject, connections, server } = one;
  const { members = memberIds, realms = [REALM] } = subject;
  const request = subject.request(server);
  const before = await server.processorTime();
  const load = { url: server.url, request, members, realms, connections, seconds };
  const counted = await generator.run(load);
  const used = (await server.processorTime()) - before;
  one.acknowledged += counted.requests - (counted.failures.status ?? 0);
  return { ...counted, processorTime: used / counted.requests };
}

/** The medians of the rounds, with the ratio to the baseline. */
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

/** The cost of the case as a multiple of another; none if there is nothing to compare. */
export function comparisonsOf(one: Measurement, all: Measurement[]): Comparison[] {
  const { subject, connections, rounds } = one;
  const { costs } = subject;
  const other = all.find((m) => m.subject === costs?.timesOf && m.connections === connections);
  if (!costs || !other) return [];
  const times = (cost: (round: Round) => number) =>
    median(rounds.map(cost)) / median(other.rounds.map(cost));
  return [
    {
      name: subject.name,
      other: other.subject.name,
      connections,
      byRequests: times((round) => 1 / rate(round)),
      byProcessorTime: times(({ processorTime }) => processorTime),
      atMost: costs.atMost,
    },
  ];
}

/** The rate of the case as a multiple of others. */
export function reachesOf(one: Measurement, all: Measurement[]): Reach[] {
  const { subject, connections, rounds } = one;
  return (subject.reaches ?? []).flatMap(({ timesOf, atLeast: targets }) => {
    const other = all.find((m) => m.subject === timesOf && m.connections === connections);
    const atLeast = targets[connections];
    if (!other || atLeast === undefined) return [];
    const times = median(rounds.map(rate)) / median(other.rounds.map(rate));
    return [{ name: subject.name, other: timesOf.name, connections, times, atLeast }];
  });
}

/** By how much the throughput is lower than the other's: the median of the rounds. */
export function shareLost(one: Measurement, other: Measurement): number {
  const pairs = one.rounds.map((round, index) => {
    const theirs = other.rounds[index];
    return theirs ? 1 - rate(round) / rate(theirs) : Number.NaN;
  });
  return median(pairs);
}

const rate = ({ requests, seconds }: LoadResult): number => requests / seconds;

const labelOf = ({ subject, connections }: Measurement): string =>
  `${subject.name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

const failuresOf = ({ failures, requests }: LoadResult, label: string): string[] => {
  const failed = Object.entries(failures).filter(([, count]) => count > 0);
  const messages = failed.map(([kind, count]) => `${label}: ${count} requests failed (${kind})`);
  return requests > 0 ? messages : [...messages, `${label}: no request was answered`];
};
