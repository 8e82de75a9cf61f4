import { answerLines } from '../bench/answering.ts';
import { readConfig } from '../src/config/config.ts';
import { openLedger } from '../src/storage/storage.ts';
import type { Strength } from './attack.ts';
import { Attacker, type AttackerSettings, type Counts } from './attacker.ts';
import { attackNamed } from './attacks.ts';
import { LIGHT_MEMBERS, LIGHT_REALM } from './light-realm.ts';
import { Seeder } from './seeder.ts';
import type { Write } from './writes.ts';

/**
 * The work that would disturb the measurements, in a process of its own: filling the database, and
 * attacking. Each line of its input is a job.
 */
export type Job =
  | { kind: 'prepare'; databaseUrl: string; attacks: string[]; strength: Strength }
  | ({ kind: 'attack'; attack: string; strength: Strength } & AttackerSettings);

/** The keys of the realms. */
export type Prepared = Record<string, string>;

export interface Attacked {
  answers: Counts;
  writes: Write[];
}

if (import.meta.main) {
  answerLines('ready', async (line) => {
    const job = JSON.parse(line) as Job;
    return job.kind === 'prepare' ? prepare(job) : attack(job);
  });
}

async function prepare(job: Extract<Job, { kind: 'prepare' }>): Promise<Prepared> {
  const ledger = await openLedger(readConfig({ DATABASE_URL: job.databaseUrl }).database);
  const light = await Seeder.create(ledger, LIGHT_REALM);
  await light.seeder.members(LIGHT_MEMBERS, (id) => ({ fields: { username: `member${id}` } }));
  const keys: Prepared = { [LIGHT_REALM]: light.key };
  for (const name of job.attacks) {
    const { seeder, key } = await Seeder.create(ledger, name);
    await attackNamed(name).prepare(seeder, job.strength);
    keys[name] = key;
  }
  await ledger.close();
  return keys;
}

async function attack(job: Extract<Job, { kind: 'attack' }>): Promise<Attacked> {
  const attacker = new Attacker(job);
  await attacker.during(() => attackNamed(job.attack).run(attacker, job.strength));
  const { answers, writes } = attacker;
  return { answers, writes };
}
