import { spawnSync } from 'node:child_process';
import type { Plan } from '../plan.ts';
import { databaseFor } from '../postgres.ts';
import { runToEnd } from '../processes.ts';
import { median } from '../statistics.ts';

const CLIENTS = 20;
/** A hundred thousand accounts for each: enough that clients rarely collide. */
const SCALE = 10;
const GRACE_SECONDS = 60;

export interface PgbenchResult {
  clients: number;
  transactionsPerSecond: number;
}

/** If pgbench is installed: its built-in simple update, SQL only, on the same PostgreSQL. */
export async function measurePgbench(
  plan: Plan,
  progress: (text: string) => void,
): Promise<PgbenchResult | null> {
  if (spawnSync('pgbench', ['--version']).error) return null;
  const url = await databaseFor('pgbench');
  await runToEnd('pgbench', ['-i', '-q', '-s', String(SCALE), url], GRACE_SECONDS);
  const rates: number[] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    const load = ['-b', 'simple-update', '-n', '-c', String(CLIENTS), '-j', '2'];
    const time = ['-T', String(Math.max(1, plan.seconds)), '-M', 'prepared'];
    const output = await runToEnd('pgbench', [...load, ...time, url], GRACE_SECONDS);
    const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
    rates.push(rate);
    progress(`round ${round} of ${plan.rounds}: pgbench simple-update: ${Math.round(rate)}/s`);
  }
  return { clients: CLIENTS, transactionsPerSecond: median(rates) };
}
