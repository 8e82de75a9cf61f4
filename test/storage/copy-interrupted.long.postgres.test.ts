import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { Cli, withoutProgress } from '../cli/cli.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Program } from '../support/program.ts';
import { copying } from './copying.ts';

/** An interrupted copy leaves nothing or everything, reports which, and can be run again. */
const { folder, source, target } = await copying();

interface Stage {
  to: TestDatabase;
  migrate(): Program;
  /** Locks a table against all others. */
  lock(table: string): Promise<{ release(): Promise<void> }>;
  /** Waits until a connection with this purpose waits for the lock. */
  waits(purpose: string): Promise<void>;
  /** Waits until the server has closed the connections with this purpose. */
  ended(purpose: string): Promise<void>;
}

async function stage(t: TestContext): Promise<Stage> {
  const to = await target();
  await (await to.open()).close();
  const cli = new Cli(t);
  const look = async (purpose: string) => {
    const rows = await to.rows(
      `SELECT wait_event_type AS waits FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'realmkeep ${purpose}'`,
    );
    return rows.map(({ waits }) => waits);
  };
  return {
    to,
    migrate: () => cli.start(['migrate', '--from', source.url], { DATABASE_URL: to.url }),
    lock: async (table) => {
      const client = new pg.Client(to.url);
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return { release: () => client.end() };
    },
    waits: (purpose) => until(async () => (await look(purpose)).includes('Lock')),
    ended: (purpose) => until(async () => (await look(purpose)).length === 0),
  };
}

function assertNobodyWrites(): void {
  const file = new DatabaseSync(join(folder, 'realmkeep.db'), { timeout: 0 });
  assert.throws(() => file.exec('SELECT * FROM realms'), /locked/);
  file.close();
}

/** The last line of a completed copy. */
function nextStep(to: TestDatabase): string {
  const { host, pathname } = new URL(to.url);
  return (
    `Start the service with a DATABASE_URL for postgres://${host}${pathname}. Rename ` +
    `${join(folder, 'realmkeep.db')}: a start without DATABASE_URL would continue on the old ` +
    'file.\n'
  );
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((next) => setTimeout(next, 20));
}

async function interruptCopy(t: TestContext, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const { to, migrate, lock, waits } = await stage(t);
  const locked = await lock('journal');
  const first = migrate();
  await waits('copy');
  assertNobodyWrites();
  first.child.kill(signal);
  const { code, stdout, stderr } = await first.ended;
  assert.equal(code, 130);
  assert.equal(stdout, '');
  assert.match(
    withoutProgress(stderr),
    /^realmkeep: Interrupted: nothing was copied to postgres:\S+\. Run it again\.\n$/,
  );
  await locked.release();
  assert.deepEqual(await to.rows('SELECT 1 FROM realms UNION ALL SELECT 1 FROM members'), []);
  const again = await migrate().ended;
  assert.match(again.stdout, /^Copied \d+ rows of 1 realm; the copy is verified\.\n/);
  assert.equal(again.stdout.slice(again.stdout.indexOf('\n') + 1), nextStep(to));
}

test('Ctrl-C during the copy leaves nothing, and says so in one line', (t) =>
  interruptCopy(t, 'SIGINT'));

test('SIGTERM does the same', (t) => interruptCopy(t, 'SIGTERM'));

test('after an interrupted check, the next run checks again', async (t) => {
  const { to, migrate, lock, waits, ended } = await stage(t);
  assert.equal((await migrate().ended).code, 0);
  const before = await to.contents();
  const locked = await lock('balances');
  const first = migrate();
  await waits('verify');
  assertNobodyWrites();
  first.child.kill('SIGINT');
  const { code, stderr } = await first.ended;
  assert.equal(code, 130);
  assert.match(
    withoutProgress(stderr),
    /^realmkeep: Interrupted: all realms are in postgres:\S+, but not all of them are verified\. /,
  );
  await ended('verify');
  const second = migrate();
  await waits('verify');
  second.kill();
  await second.ended;
  await locked.release();
  const again = await migrate().ended;
  const done = 'An earlier run already copied 1 realm; the copy is verified.';
  assert.equal(again.stdout, `${done}\n${nextStep(to)}`, again.stderr);
  assert.equal(again.code, 0);
  assert.equal(await to.contents(), before);
});
