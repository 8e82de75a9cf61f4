import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CommandOf } from '../src/domain/commands.ts';
import { chainHash } from '../src/domain/rules/journal.ts';
import { InProcessLedger } from '../src/ledger/in-process-ledger.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { answerLines } from './answering.ts';
import { assertAccepted, enrol, REALM, randomPair } from './community.ts';
import { quantile } from './statistics.ts';

/**
 * The engine without HTTP and threads: transfers through a ledger on SQLite, in groups that arrive
 * at once. It runs in its own process; each line of its input is a measurement to make.
 */
export interface EngineRequest {
  group: number;
  seconds: number;
}

export interface EngineResult {
  transfersPerSecond: number;
  /** Milliseconds until the whole group is durable. */
  p50: number;
  p99: number;
  /** Microseconds for one transfer. */
  processorTime: number;
}

/** The first line of the process. */
export interface EngineReady {
  makesHashes: boolean;
}

if (import.meta.main) {
  const ledger = new InProcessLedger(openSqliteStore(join(process.argv[2] ?? '.', 'engine.db')));
  await enrol(ledger);
  const ready: EngineReady = { makesHashes: chainHash('', 'one') !== chainHash('', 'another') };
  answerLines(ready, (line) => measure(ledger, JSON.parse(line) as EngineRequest));
}

async function measure(ledger: Ledger, { group, seconds }: EngineRequest): Promise<EngineResult> {
  const times: number[] = [];
  let total = 0;
  let used = 0;
  while (total < seconds * 1_000) {
    const commands = Array.from({ length: group }, transferCommand);
    const before = process.cpuUsage();
    const start = performance.now();
    const outcomes = await Promise.all(commands.map((command) => ledger.execute(command)));
    const time = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    for (const outcome of outcomes) assertAccepted(outcome);
    times.push(time);
    total += time;
    used += user + system;
  }
  const transfers = group * times.length;
  return {
    transfersPerSecond: (transfers * 1_000) / total,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    processorTime: used / transfers,
  };
}

function transferCommand(): CommandOf<'points.transfer'> {
  const { member, other } = randomPair();
  const key = randomUUID();
  return {
    type: 'points.transfer',
    realmId: REALM,
    actor: 'cli',
    idempotency: { key, fingerprint: key.slice(0, 22) },
    memberId: member,
    recipientId: other,
    tokens: 1,
    realmPointId: null,
    description: null,
  };
}
