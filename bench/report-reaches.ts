import type { PgbenchResult } from './cases/pgbench.ts';
import { transferOnPostgres } from './cases/postgres.ts';
import { metOrMissed, table, whole } from './table.ts';

/** The rate of one case as a multiple of another's. */
export interface Reach {
  name: string;
  other: string;
  connections: number;
  times: number;
  /** Null if it is shown without a target. */
  atLeast: number | null;
}

interface Rate {
  name: string;
  connections: number;
  requestsPerSecond: number;
}

export function reachesText(reaches: Reach[]): string[] {
  if (reaches.length === 0) return [];
  return [
    '',
    'Requests per second, as a multiple of others in the same run',
    '',
    ...table(
      ['', 'connections', 'times', 'target'],
      reaches.map(({ name, other, connections, times, atLeast }) => [
        `${name} / ${other}`,
        whole(connections),
        times.toFixed(2),
        atLeast === null ? '' : `>= ${atLeast} ${metOrMissed(times >= atLeast)}`,
      ]),
    ),
  ];
}

/** More clients would only make pgbench slower on two cores. */
export function pgbenchText(pgbench: PgbenchResult | null, lines: readonly Rate[]): string[] {
  const ours = lines.find(({ name, connections }) => {
    return name === transferOnPostgres.name && connections === 64;
  });
  if (!pgbench || !ours) return [];
  const { clients, transactionsPerSecond } = pgbench;
  const ratio = ours.requestsPerSecond / transactionsPerSecond;
  return [
    '',
    `pgbench simple-update, ${clients} clients, on the same PostgreSQL: ` +
      `${whole(transactionsPerSecond)} transactions/s; transfers over HTTP at 64 connections are ` +
      `${ratio.toFixed(2)} of that: >= 1 ${metOrMissed(ratio >= 1)}`,
  ];
}
