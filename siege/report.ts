import { table, whole } from '../bench/table.ts';
import { counts } from '../soak/findings.ts';
import { BARS, failuresIn, missed, type Result } from './bars.ts';

const MB = 1_000_000;

const HEAD = [
  'attack',
  'database',
  'p50',
  'p99',
  'worst',
  'failures',
  '/healthz p99',
  'sent late p99',
  'memory',
  'verdict',
];

export function asText(results: readonly Result[]): string {
  const isPass = results.every((result) => missed(result).length === 0);
  return [
    ...table(HEAD, results.map(rowOf)),
    '',
    ...results.flatMap(detailsOf),
    '',
    'The light realm makes a read and a write every 50 ms; times are in milliseconds, from when a',
    'call was due. Attacker, measurement and service share the machine, which also delays calls',
    'before they are sent ("sent late"). Bars: no failure of the light realm, its p99 at most',
    `${BARS.lightP99} ms, /healthz p99 at most ${BARS.healthP99} ms, on SQLite at most`,
    `${BARS.memory / MB} MB of memory, the process alive, and the books right.`,
    isPass ? 'Every attack passed.' : 'FAILED',
  ].join('\n');
}

export function lineOf(result: Result): string {
  const { attack, database, light, health, memory } = result;
  return (
    `${attack} on ${database}: p99 ${whole(light.p99)} ms, ${failuresIn(light)} failures, ` +
    `/healthz p99 ${whole(health.p99)} ms, ${megabytes(memory)}: ${verdictOf(result)}`
  );
}

function rowOf(result: Result): string[] {
  const { attack, database, light, health, lateness, memory } = result;
  const failures = `${failuresIn(light)} of ${light.calls}`;
  const times = [light.p50, light.p99, light.worst].map(whole);
  const others = [health.p99, lateness].map(whole);
  return [attack, database, ...times, failures, ...others, megabytes(memory), verdictOf(result)];
}

/** What the attacker got, and what is wrong. */
function detailsOf(result: Result): string[] {
  const { attack, database, light, answers } = result;
  const lines = [`${attack} (${database}) answers: ${counted(answers)}`];
  if (failuresIn(light) > 0) lines.push(`  the light realm got: ${counted(light.failures)}`);
  return [...lines, ...missed(result).map((fault) => `  FAIL: ${fault}`)];
}

const verdictOf = (result: Result): string => (missed(result).length === 0 ? 'pass' : 'FAIL');

const megabytes = (bytes: number | null): string =>
  bytes === null ? '-' : `${whole(bytes / MB)} MB`;

const counted = (of: Record<string, number>): string => counts(new Map(Object.entries(of)));
