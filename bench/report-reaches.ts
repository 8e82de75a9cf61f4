import type { PgbenchResult } from './cases/pgbench.ts';
import { transferOnPostgres } from './cases/postgres.ts';
import { table, verdict, whole } from './table.ts';

/** The rate of one case as a multiple of another's. */
export interface Reach {
  name: string;
  other: string;
  connections: number;
  times: number;
  /** Null where it is only shown. */
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
        atLeast === null ? '' : `>= ${atLeast} ${verdict(times >= atLeast)}`,
      ]),
    ),
  ];
}

/** More clients than that only make pgbench slower on two cores. */
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
      `${ratio.toFixed(2)} of that: >= 1 ${verdict(ratio >= 1)}`,
  ];
}
