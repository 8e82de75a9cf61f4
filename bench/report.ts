import { arch, cpus, loadavg } from 'node:os';
import { BATCH_TARGET, type BatchResult } from './cases/batch.ts';
import type { Finding } from './cases/case.ts';
import type { ClientResult } from './cases/client.ts';
import type { EngineLine } from './cases/hash-chain.ts';
import type { ImportResult } from './cases/import.ts';
import type { PgbenchResult } from './cases/pgbench.ts';
import type { StreamResult } from './cases/streams.ts';
import { WALLET_CHECK_AT_MOST, type WalletCheckResult } from './cases/wallet-check.ts';
import { clientText } from './report-client.ts';
import { importText } from './report-import.ts';
import { pgbenchText, type Reach, reachesText } from './report-reaches.ts';
import { streamsText } from './report-streams.ts';
import { metOrMissed, percent, table, whole } from './table.ts';

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
  /** Relative to the empty route at the same number of connections; null if not measured. */
  ratio: number | null;
  target: number | null;
}

/** The cost of one case as a multiple of another. */
export interface Comparison {
  name: string;
  other: string;
  connections: number;
  byRequests: number;
  byProcessorTime: number;
  atMost: number;
}

/** The cost of the hash chain in transfers over HTTP. */
export interface ChainOverHttp {
  connections: number;
  requestsPerSecond: number;
  processorTime: number;
  withoutChain: { requestsPerSecond: number; processorTime: number };
  chainTakes: number;
}

export interface Report {
  machine: { node: string; cpu: string; cores: number; busyBefore: number; loadGenerator: string };
  plan: { rounds: number; seconds: number };
  lines: Line[];
  comparisons: Comparison[];
  reaches: Reach[];
  /** Null if pgbench is not installed or not selected. */
  pgbench: PgbenchResult | null;
  walletCheck: WalletCheckResult | null;
  batch: BatchResult | null;
  imports: ImportResult | null;
  streams: StreamResult | null;
  client: ClientResult | null;
  engine: EngineLine[];
  chainOverHttp: ChainOverHttp[];
  findings: Finding[];
  failures: string[];
}

const CHAIN_TAKES_AT_MOST = 0.1;

/** `busyBefore` is the load average: far above 0, other work distorts the ratios. */
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

export function asText(report: Report): string {
  const { machine: m, plan, findings, failures } = report;
  return [
    `Node ${m.node} on ${m.cpu}, ${m.cores} cores, load average before ${m.busyBefore.toFixed(1)}`,
    `Load from ${m.loadGenerator}, on the same machine`,
    `Medians of ${plan.rounds} round(s) of ${plan.seconds} s; p50 and p99 in milliseconds`,
    'CPU us: processor time of the server for one request, over all its threads',
    ...linesText(report.lines),
    ...comparisonsText(report.comparisons),
    ...reachesText(report.reaches),
    ...pgbenchText(report.pgbench, report.lines),
    ...walletText(report.walletCheck),
    ...batchText(report.batch),
    ...importText(report.imports),
    ...streamsText(report.streams),
    ...clientText(report.client),
    ...engineText(report.engine),
    ...chainText(report.engine, report.chainOverHttp),
    '',
    ...findings.map(({ claim, ok, detail }) => `${claim}: ${ok ? 'yes' : 'NO'} (${detail})`),
    ...failures.map((failure) => `FAILED: ${failure}`),
  ].join('\n');
}

function linesText(lines: Line[]): string[] {
  if (lines.length === 0) return [];
  const counts = ['requests/s', 'lowest', 'highest', 'p50', 'p99', 'CPU us'];
  return [
    '',
    ...table(
      ['', 'connections', ...counts, 'of empty', 'target'],
      lines.map((line) => {
        const { ratio, target } = line;
        const met = ratio === null || target === null ? '' : metOrMissed(ratio >= target);
        return [
          line.name,
          whole(line.connections),
          whole(line.requestsPerSecond),
          whole(line.rounds[0] ?? 0),
          whole(line.rounds.at(-1) ?? 0),
          line.p50.toFixed(2),
          line.p99.toFixed(2),
          whole(line.processorTime),
          ratio === null ? '' : ratio.toFixed(2),
          target === null ? '' : `>= ${target.toFixed(2)} ${met}`,
        ];
      }),
    ),
  ];
}

function comparisonsText(comparisons: Comparison[]): string[] {
  if (comparisons.length === 0) return [];
  return [
    '',
    'Cost of a request as a multiple of another; the greater figure counts',
    '',
    ...table(
      ['', 'connections', 'by requests/s', 'by CPU us', 'target'],
      comparisons.map(({ name, other, connections, byRequests, byProcessorTime, atMost }) => {
        const met = metOrMissed(Math.max(byRequests, byProcessorTime) <= atMost);
        return [
          `${name} / ${other}`,
          whole(connections),
          byRequests.toFixed(2),
          byProcessorTime.toFixed(2),
          `<= ${atMost} ${met}`,
        ];
      }),
    ),
  ];
}

function walletText(check: WalletCheckResult | null): string[] {
  if (!check) return [];
  const { asked, linked, ms, rawMs, processorMs, ratio } = check;
  return [
    '',
    `Wallet checks of ${whole(asked)} over HTTP, half of them among ${whole(linked)} linked ones`,
    '',
    ...table(
      ['', 'ms', 'CPU ms', 'of SQLite alone', 'target'],
      [
        [
          'a check',
          ms.toFixed(1),
          processorMs.toFixed(1),
          ratio.toFixed(2),
          `<= ${WALLET_CHECK_AT_MOST} ${metOrMissed(ratio <= WALLET_CHECK_AT_MOST)}`,
        ],
        ['SQLite alone, the same look-ups in a loop', rawMs.toFixed(1), '', '', ''],
      ],
    ),
  ];
}

function batchText(batch: BatchResult | null): string[] {
  if (!batch) return [];
  const { entriesPerSecond, rawPerSecond, entries, batches, atOnce } = batch;
  const met = metOrMissed(entriesPerSecond >= BATCH_TARGET);
  const cells = (name: string, perSecond: number, rest: string[]) => [
    name,
    whole(perSecond),
    (perSecond / rawPerSecond).toFixed(2),
    ...rest,
  ];
  return [
    '',
    `Atomic batches of ${whole(entries)} entries over HTTP, ${atOnce} at once, ${batches} in a row`,
    '',
    ...table(
      ['', 'entries/s', 'of SQLite alone', 'p50', 'CPU us an entry', 'target'],
      [
        cells('with statements and leaderboards', entriesPerSecond, [
          batch.p50.toFixed(0),
          batch.processorTime.toFixed(1),
          `>= ${whole(BATCH_TARGET)} ${met}`,
        ]),
        cells('SQLite alone, the same rows', rawPerSecond, ['', '', '']),
      ],
    ),
  ];
}

function engineText(engine: EngineLine[]): string[] {
  if (engine.length === 0) return [];
  return [
    '',
    'The engine alone, without HTTP: transfers on SQLite that arrive in groups',
    '',
    ...table(
      ['', 'transfers/s', 'p50', 'p99', 'CPU us'],
      engine.map((line) => [
        groupName(line),
        whole(line.transfersPerSecond),
        line.p50.toFixed(2),
        line.p99.toFixed(2),
        line.processorTime.toFixed(1),
      ]),
    ),
  ];
}

function chainText(engine: EngineLine[], overHttp: ChainOverHttp[]): string[] {
  if (engine.length + overHttp.length === 0) return [];
  const cells = (name: string, rates: number[], times: number[], takes: number, judged = true) => [
    name,
    ...rates.map(whole),
    ...times.map((time) => time.toFixed(1)),
    percent(takes),
    percent(shareOfTime(times)),
    judged ? `<= ${percent(CHAIN_TAKES_AT_MOST)} ${metOrMissed(takes <= CHAIN_TAKES_AT_MOST)}` : '',
  ];
  return [
    '',
    'The hash chain: transfers with and without it, and its share of the cost; on a busy machine',
    'the share of CPU is more stable',
    '',
    ...table(
      ['', 'with/s', 'without/s', 'CPU us with', 'CPU us without', 'of rate', 'of CPU', 'target'],
      [
        ...engine.map(({ withoutChain: other, ...line }) =>
          cells(
            `the engine alone, ${groupName(line)}`,
            [line.transfersPerSecond, other.transfersPerSecond],
            [line.processorTime, other.processorTime],
            line.chainTakes,
            // A single transfer waits for the disk most of the time: the rest is noise.
            line.group > 1,
          ),
        ),
        ...overHttp.map(({ withoutChain: other, ...line }) =>
          cells(
            `over HTTP, ${line.connections} connections`,
            [line.requestsPerSecond, other.requestsPerSecond],
            [line.processorTime, other.processorTime],
            line.chainTakes,
          ),
        ),
      ],
    ),
  ];
}

const shareOfTime = ([chained = 0, unchained = 0]: number[]): number => 1 - unchained / chained;

const groupName = ({ group }: { group: number }): string => `groups of ${whole(group)}`;
