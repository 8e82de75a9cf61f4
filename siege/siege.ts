import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../bench/statistics.ts';
import type { Attack, Strength } from './attack.ts';
import { auditBooks } from './audit.ts';
import type { Figures, Result } from './bars.ts';
import { LIGHT_REALM } from './light-realm.ts';
import { Memory } from './memory.ts';
import { Stage } from './stage.ts';
import { SteadyCalls, type Timed } from './steady-calls.ts';
import type { Write } from './writes.ts';

/** Before the first attack: a service that has just started compiles its code first. */
const WARM_UP_MS = 1_500;

interface Plan {
  databaseUrl: string;
  strength: Strength;
  seconds: number;
}

/**
 * Puts a fresh service under some attacks, one after another, beside the light realm. Returns the
 * figures of each, and the faults in the books afterwards.
 */
export async function besiege(
  attacks: readonly Attack[],
  plan: Plan,
): Promise<{ results: Result[]; faults: string[] }> {
  const stage = await Stage.prepare(plan.databaseUrl, attacks, plan.strength);
  try {
    return await attackOneByOne(stage, attacks, plan);
  } finally {
    await stage.close();
  }
}

async function attackOneByOne(stage: Stage, attacks: readonly Attack[], plan: Plan) {
  await stage.start();
  const light = stage.lightRealm();
  const health = new SteadyCalls(stage.node.url, () => ({
    method: 'GET',
    path: '/healthz',
    headers: {},
  }));
  const steady = [...light.calls, health];
  for (const calls of steady) calls.start();
  await pause(WARM_UP_MS);
  const written = new Map([[LIGHT_REALM, light.writes]]);
  const results: Result[] = [];
  try {
    for (const attack of attacks) {
      const { result, writes } = await measure(attack, stage, steady, plan.seconds);
      results.push(result);
      written.set(attack.name, writes);
    }
  } finally {
    for (const calls of steady) await calls.stop();
  }
  const hasStopped = await stage.stop();
  const faults = await auditBooks(plan.databaseUrl, written);
  if (!hasStopped) faults.push('SIGTERM did not stop the service');
  return { results, faults };
}

async function measure(
  attack: Attack,
  stage: Stage,
  steady: readonly SteadyCalls[],
  seconds: number,
): Promise<{ result: Result; writes: Write[] }> {
  const begin = await stage.attacker(attack, seconds);
  const memory = new Memory(stage.node.pid);
  const samples = steady.map((calls) => calls.measure());
  const { answers, writes } = await begin();
  const [reads = [], credits = [], probes = []] = await Promise.all(samples.map((end) => end()));
  const result: Result = {
    attack: attack.name,
    database: stage.databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres',
    seconds,
    light: figuresOf([...reads, ...credits]),
    health: figuresOf(probes),
    lateness: quantile(
      [...reads, ...credits, ...probes].map(({ lateMs }) => lateMs),
      0.99,
    ),
    answers,
    memory: memory.stop(),
    isAlive: stage.node.isRunning,
    faults: attack.faults(answers),
  };
  return { result, writes };
}

function figuresOf(sample: Timed[]): Figures {
  const times = sample.map(({ ms }) => ms);
  const failed = sample.filter(({ status }) => status !== 200);
  const reasons = Map.groupBy(failed, ({ status, reason }) => `${status ?? ''} ${reason}`.trim());
  return {
    calls: sample.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    worst: quantile(times, 1),
    failures: Object.fromEntries(Array.from(reasons, ([reason, { length }]) => [reason, length])),
  };
}
