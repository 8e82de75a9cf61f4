import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { STORAGE } from '../support/database.ts';
import { brokenSetUps } from './broken-set-ups.ts';
import { changedByHand } from './changed-by-hand.ts';
import { Cli } from './cli.ts';
import { type Finding, findingsOf, reportOf } from './diagnosing.ts';
import { writeHistory } from './journal-history.ts';

async function cliWithHistory(t: TestContext): Promise<Cli> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return cli;
}

/** Of everything that is stored. */
const digestOf = async ({ database }: Cli): Promise<string> =>
  hash('sha256', await database.contents());

const verdictsOf = (checks: Finding[]): Record<string, string> =>
  Object.fromEntries(checks.map(({ check, verdict }) => [check, verdict]));

/** What depends on the machine, or on how a server for tests is configured. */
const MACHINE = { disk: '', fsync: '' };

const SOUND = {
  configuration: 'ok',
  keys: 'ok',
  database: 'ok',
  migrations: 'ok',
  clock: 'ok',
  backup: STORAGE === 'sqlite' ? 'warning' : 'skipped',
  journal: 'ok',
  erasures: 'ok',
  rpc: 'skipped',
  webhooks: 'ok',
  discord: 'skipped',
  service: 'skipped',
};

test('a sound set-up has one line for each check, and is left as it is', async (t) => {
  const cli = await cliWithHistory(t);
  const before = await digestOf(cli);
  const found = await reportOf(cli);
  assert.deepEqual({ ...verdictsOf(found), ...MACHINE }, { ...SOUND, ...MACHINE });
  assert.equal(await digestOf(cli), before);
  const { stdout } = await cli.run(['doctor']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, found.length + 1);
  assert.match(lines[0] ?? '', /^ok +configuration +All settings are valid\.$/);
  assert.match(lines.at(-1) ?? '', /^\d+ faults?, \d+ warnings?\.$/);
});

test('it works beside a running service, and sees whether that is ready', async (t) => {
  const cli = await cliWithHistory(t);
  const serve = cli.start(['serve', '--json'], { LOG_LEVEL: 'error' });
  const { url } = await serve.firstObject();
  const found = await reportOf(cli, { PORT: new URL(String(url)).port });
  assert.deepEqual({ ...verdictsOf(found), ...MACHINE }, { ...SOUND, ...MACHINE, service: 'ok' });
  serve.child.kill('SIGTERM');
  assert.equal((await serve.ended).code, 0);
});

const broken = [...brokenSetUps, ...changedByHand].filter(
  ({ storage = STORAGE }) => storage === STORAGE,
);

test('ten set-ups and more are broken, in different ways', () => {
  assert.ok(new Set(broken.map(({ name }) => name)).size >= 10, String(broken.length));
});

for (const { name, setUp, check, verdict, detail } of broken) {
  test(`${name}: a ${verdict} of ${check}`, async (t) => {
    const cli = await cliWithHistory(t);
    const env = (await setUp(cli)) ?? {};
    const findings = await findingsOf(check, cli, env);
    const [first] = findings;
    assert.equal(first?.verdict, verdict, JSON.stringify(findings));
    assert.match(first.detail, detail);
  });
}

test('a database file that others may read is warned of', {
  skip: STORAGE !== 'sqlite',
}, async (t) => {
  const cli = await cliWithHistory(t);
  const path = join(cli.folder, 'realmkeep.db');
  chmodSync(cli.folder, 0o755);
  assert.equal((await findingsOf('database', cli)).length, 1);
  chmodSync(path, 0o644);
  const [first, second] = await findingsOf('database', cli);
  assert.deepEqual([first?.verdict, second?.verdict], ['ok', 'warning']);
  assert.match(second?.detail ?? '', /^Other users of this machine may read .*chmod 600 /);
  // Where nobody else gets into the folder, nobody else reads the file.
  chmodSync(cli.folder, 0o700);
  assert.equal((await findingsOf('database', cli)).length, 1);
});
