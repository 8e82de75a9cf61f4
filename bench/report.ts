import { arch, cpus, loadavg } from 'node:os';
import type { Finding } from './cases/case.ts';
import type { EngineResult } from './engine.ts';

/** One case at one number of connections: the medians of its rounds. */
export interface Line {
  name: string;
  connections: number;
  requestsPerSecond: number;
  /** Requests per second of each round, lowest first. */
  rounds: number[];
  p50: number;
  p99: number;
  /** Microseconds of processor time that the server takes for one request, over all threads. */
  processorTime: number;
  /** To the empty route at the same number of connections; null where that was not measured. */
  ratio: number | null;
  target: number | null;
}

export interface Report {
  machine: { node: string; cpu: string; cores: number; busyBefore: number; loadGenerator: string };
  plan: { rounds: number; seconds: number };
  lines: Line[];
  engine: EngineResult[];
  findings: Finding[];
  failures: string[];
}

/** `busyBefore` is the load average: much above 0, others were at work and the ratios mislead. */
export function machine(loadGenerator: string): Report['machine'] {
  const cores = cpus();
  const cpu = `${cores[0]?.model.trim() || 'unknown'} (${arch()})`;
  return {
    node: process.version,
    cpu,
    cores: cores.length,
    busyBefore: loadavg()[0] ?? 0,
    loadGenerator,
  };
}

export function asText({ machine: m, plan, lines, engine, findings, failures }: Report): string {
  return [
    `Node ${m.node} on ${m.cpu}, ${m.cores} cores, load average before ${m.busyBefore.toFixed(1)}`,
    `Load from ${m.loadGenerator}, on the same machine`,
    `Medians of ${plan.rounds} round(s) of ${plan.seconds} s; p50 and p99 in milliseconds`,
    'CPU us: processor time of the server for one request, over all its threads',
    '',
    ...table(
      [
        'connections',
        '',
        'requests/s',
        'lowest',
        'highest',
        'p50',
        'p99',
        'CPU us',
        'of empty',
        'target',
      ],
      lines.map(lineCells),
    ),
    '',
    'The engine alone, without HTTP: transfers on SQLite that arrive in groups',
    '',
    ...table(
      ['group', '', 'transfers/s', 'p50', 'p99'],
      engine.map((e) => [
        whole(e.group),
        '',
        whole(e.transfersPerSecond),
        e.p50.toFixed(2),
        e.p99.toFixed(2),
      ]),
    ),
    '',
    ...findings.map(({ claim, ok, detail }) => `${claim}: ${ok ? 'yes' : 'NO'} (${detail})`),
    ...failures.map((failure) => `FAILED: ${failure}`),
  ].join('\n');
}

function lineCells(line: Line): string[] {
  const { ratio, target } = line;
  const verdict = ratio === null ? '' : ratio >= (target ?? 0) ? ' met' : ' missed';
  return [
    whole(line.connections),
    line.name,
    whole(line.requestsPerSecond),
    whole(line.rounds[0] ?? 0),
    whole(line.rounds.at(-1) ?? 0),
    line.p50.toFixed(2),
    line.p99.toFixed(2),
    whole(line.processorTime),
    ratio === null ? '' : ratio.toFixed(2),
    target === null ? '' : `>= ${target.toFixed(2)}${verdict}`,
  ];
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

/** The second column is text and stands on the left, numbers stand on the right. */
function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const aligned = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 1 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return [aligned[0] ?? '', '-'.repeat(Math.max(...aligned.map((line) => line.length)))].concat(
    aligned.slice(1),
  );
}
