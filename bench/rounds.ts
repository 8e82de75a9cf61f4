import type { Case } from './cases/case.ts';
import { memberIds, REALM } from './community.ts';
import type { Counted, LoadGenerator } from './load.ts';
import type { Plan } from './plan.ts';
import type { RunningServer } from './processes.ts';
import type { Comparison, Line } from './report.ts';
import type { Reach } from './report-reaches.ts';
import { median } from './statistics.ts';

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

/** Each case once, at the number of connections in its middle: enough to keep the server busy. */
function warmedUp(measurements: Measurement[]): Measurement[] {
  return [...Map.groupBy(measurements, ({ subject }) => subject).values()].flatMap(
    (own) => own[own.length >> 1] ?? [],
  );
}

/** The processor time is counted until what the load left to be done is done, too. */
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
  await subject.settle?.(server);
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

/** What the case costs as a multiple of the other one; none where there is nothing to compare. */
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

/** The rate of the case as a multiple of others'. */
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

/** The share of the other's throughput that this one lacks: the median of the rounds. */
export function shareLost(one: Measurement, other: Measurement): number {
  const pairs = one.rounds.map((round, index) => {
    const theirs = other.rounds[index];
    return theirs ? 1 - rate(round) / rate(theirs) : Number.NaN;
  });
  return median(pairs);
}

const rate = ({ requests, seconds }: Counted): number => requests / seconds;

const labelOf = ({ subject, connections }: Measurement): string =>
  `${subject.name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

const failuresOf = ({ failures, requests }: Counted, label: string): string[] => {
  const failed = Object.entries(failures).filter(([, count]) => count > 0);
  const told = failed.map(([kind, count]) => `${label}: ${count} requests failed (${kind})`);
  return requests > 0 ? told : [...told, `${label}: no request was answered`];
};
