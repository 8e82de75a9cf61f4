import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { realmkeep, ServiceNode } from '../soak/service-node.ts';
import { readConfig } from '../src/config/config.ts';
import { openLedger } from '../src/storage/storage.ts';
import { PacedWrites } from './paced-writes.ts';
import { Seeder } from './seeder.ts';
import { faultsOf, type Write } from './writes.ts';

const REALM = 'written';
const MEMBERS = 20;
/** So many that the rate is reached on a busy machine, too, where answers take long. */
const CALLERS = 400;
/** Writes that are not counted: a service that has just started compiles its code first. */
const WARM_UP = 500;

interface Plan {
  /** An empty one, for the database, its backup and the restored database. */
  folder: string;
  /** The records that are there before. */
  records: number;
  /** How many writes are acknowledged before the backup is begun. */
  before: number;
  /** How many are sent a second, if the machine is quick enough. */
  rate: number;
  /** Told of each step. */
  progress?(step: string): void;
}

interface Phase {
  /** Acknowledged writes. */
  writes: number;
  seconds: number;
}

interface UnderLoad {
  before: Phase;
  during: Phase;
  /** Writes that are missing, or there twice. */
  faults: string[];
}

/**
 * Backs up a service that is being written to, restores the backup elsewhere, verifies it, and
 * looks for every write that was acknowledged before the backup began.
 */
export async function backUpUnderLoad(plan: Plan): Promise<UnderLoad> {
  const urlOf = (name: string) => `sqlite:${join(plan.folder, name, 'realmkeep.db')}`;
  const [live, restored, backup] = [urlOf('live'), urlOf('restored'), join(plan.folder, 'a.db')];
  const { progress = () => undefined } = plan;
  progress(`writing ${plan.records} records`);
  const key = await seed(live, plan.records);
  const node = await ServiceNode.start(1, live, randomBytes(32).toString('hex'));
  const writes = new PacedWrites({ url: node.url, realmId: REALM, key, members: MEMBERS });
  try {
    progress(`load until ${plan.before} writes are acknowledged`);
    writes.start(CALLERS, plan.rate);
    await writes.acknowledge(WARM_UP);
    const before = await phaseOf(writes, () => writes.acknowledge(plan.before));
    const { length: early } = writes.acknowledged;
    progress('backing up');
    const during = await phaseOf(writes, () => run(['backup', backup], live));
    progress('restoring and verifying');
    await writes.stop();
    await run(['restore', backup], restored);
    await run(['verify'], restored);
    const faults = await lossesIn(restored, writes.acknowledged, early);
    return { before, during, faults };
  } finally {
    await writes.stop();
    await node.stop();
  }
}

/** The writes that are acknowledged while something is done. */
async function phaseOf({ acknowledged }: PacedWrites, work: () => Promise<void>): Promise<Phase> {
  const [startedAt, before] = [performance.now(), acknowledged.length];
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { writes: acknowledged.length - before, seconds };
}

async function run(words: string[], databaseUrl: string): Promise<void> {
  const { code, stdout, stderr } = await realmkeep(words, databaseUrl);
  if (code !== 0) throw new Error(`realmkeep ${words[0]} failed: ${stdout}${stderr}`);
}

/** Returns a key of the realm that is written to; the records are of another one. */
async function seed(databaseUrl: string, records: number): Promise<string> {
  const ledger = await openLedger(readConfig({ DATABASE_URL: databaseUrl }).database);
  const { seeder, key } = await Seeder.create(ledger, REALM);
  await seeder.members(MEMBERS);
  const history = await seeder.another('history');
  await history.members(MEMBERS);
  await history.credits(MEMBERS, records);
  await ledger.close();
  return key;
}

/** Of the first `count` marks; what was acknowledged later is there once or not at all. */
async function lossesIn(
  databaseUrl: string,
  marks: readonly string[],
  count: number,
): Promise<string[]> {
  const ledger = await openLedger(readConfig({ DATABASE_URL: databaseUrl }).database);
  const writes = marks.map((mark, index): Write => {
    return { mark, records: 1, fate: index < count ? 'done' : 'unknown' };
  });
  const lost = await faultsOf(writes, ledger, REALM);
  await ledger.close();
  return lost;
}
