import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { Cli, performed } from '../cli/cli.ts';
import { ALICE, BOB, writeProofs } from '../cli/journal-history.ts';
import type { TestDatabase } from '../support/database.ts';
import { verdictOf } from '../support/verdict.ts';
import { copying } from './copying.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** `migrate --from sqlite:… --to postgres://…` copies all realms byte for byte. */
const { source, target } = await copying();
await writeProofs({ database: source } as Cli);

const migrate = (to: string) => performed(['migrate', '--from', source.url, '--to', to, '--json']);

/** The results of the queries. */
async function resultsOf(database: TestDatabase): Promise<unknown[]> {
  const ledger: Ledger = await database.ledger();
  const answers: unknown[] = [];
  const all = { after: null, limit: 500, now: Date.now() };
  for (const realmId of ['acme', 'proofs']) {
    const filter = { wallet: null, account: null, status: null };
    answers.push(
      await ledger.query('realm', { realmId }),
      await ledger.query('records', { realmId, after: 0, limit: 500 }),
      await ledger.query('members', { realmId, filter, ...all }),
      await ledger.query('kinds', { realmId }),
      await ledger.query('assets', { realmId }),
      await ledger.query('apiKeys', { realmId, ...all }),
      await verdictOf(ledger, realmId),
    );
    for (const memberId of [ALICE, BOB]) {
      const ask = { realmId, realmPointId: null, type: null, from: null, to: null, before: null };
      const board = { realmId, realmPointId: null, window: 'all' as const, at: 0 };
      answers.push(
        await ledger.query('statement', { ...ask, memberId, limit: 500 }),
        await ledger.query('standing', { ...board, memberId }),
      );
    }
  }
  answers.push(await ledger.query('apiKey', { keyId: 'ElsESjT1PxsC' }));
  await ledger.close();
  return JSON.parse(JSON.stringify(answers));
}

test('the copy answers as the original does, and can be written to', async () => {
  const to = await target();
  const { code, stdout } = await migrate(to.url);
  assert.equal(code, 0, stdout);
  const { rows, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, { ok: true, realms: 2, wasThere: false, faults: [] });
  assert.ok(rows > 50);
  assert.deepEqual(await resultsOf(to), await resultsOf(source));
  const ledger = await to.ledger();
  const outcome = await ledger.execute({
    type: 'points.change',
    realmId: 'acme',
    actor: 'test',
    idempotency: null,
    memberId: ALICE,
    tokens: 1,
    realmPointId: null,
    description: null,
  });
  assert.ok('answer' in outcome, JSON.stringify(outcome));
  assert.equal((await verdictOf(ledger, 'acme'))?.ok, true);
  await ledger.close();
});

test('a copy overwrites nothing', async () => {
  const to = await target();
  assert.equal((await migrate(to.url)).code, 0);
  const refused = async (): Promise<void> => {
    const before = await to.contents();
    const { code, stderr } = await migrate(to.url);
    assert.equal(code, 1);
    assert.match(stderr, /it already has realms, other than those of the file/);
    assert.equal(await to.contents(), before);
  };
  await to.exec(`UPDATE realms SET head = '\\x00' WHERE realm_id = 'acme'`);
  await refused();
  await to.exec(`DELETE FROM realms WHERE realm_id = 'acme'`);
  await refused();
});

test('the root key of the target is kept unless the file has its own', async () => {
  const to = await target();
  const store = await to.open();
  await store.housekeeping.storeNote({
    name: 'root_key_hash',
    value: 'of the target',
    replaced: null,
  });
  await store.close();
  await source.exec('DELETE FROM service');
  assert.equal((await migrate(to.url)).code, 0);
  const key = 'SELECT value FROM service';
  assert.deepEqual(await to.rows(key), [{ value: 'of the target' }]);
  const other = await target();
  await source.exec("INSERT INTO service VALUES ('root_key_hash', 'of the file')");
  assert.equal((await migrate(other.url)).code, 0);
  assert.deepEqual(await other.rows(key), [{ value: 'of the file' }]);
});

test('a service logs that its file was copied; one on the copy does not', async (t) => {
  const [to, other] = [await target(), await target()];
  assert.equal((await migrate(to.url)).code, 0);
  const { host, pathname } = new URL(to.url);
  const logOf = async (DATABASE_URL: string): Promise<string> => {
    const service = new Cli(t, { LOG_LEVEL: 'warn' }).start(['serve'], { DATABASE_URL });
    await service.says(/Realmkeep listens/);
    service.child.kill('SIGTERM');
    return (await service.ended).stderr;
  };
  const log = JSON.parse(await logOf(source.url));
  assert.match(log.msg, /^this database was copied/);
  assert.ok(log.copiedTo.startsWith(`postgres://${host}${pathname} at 20`), log.copiedTo);
  // The note stays in the file, even when the file is copied again.
  assert.equal((await migrate(other.url)).code, 0);
  for (const copy of [to, other]) assert.equal(await logOf(copy.url), '');
});

test('a copy cut off before its commit leaves nothing, and can be run again', async () => {
  const to = await target();
  // Migrates first, so that the next COMMIT is that of the copy.
  await (await to.open()).close();
  const proxy = await CuttingProxy.start(to.url);
  proxy.commitsToPass = 1;
  proxy.fate = 'cut before';
  const { code, stdout } = await migrate(proxy.url);
  assert.equal(code, 1);
  assert.match(JSON.parse(stdout).error.detail, / Run it again when the database is back\.$/);
  await proxy.stop();
  assert.deepEqual(await to.rows('SELECT 1 FROM realms UNION ALL SELECT 1 FROM journal'), []);
  assert.equal((await migrate(to.url)).code, 0);
});

test('a realm that fails the check is copied as it is, and reported', async () => {
  const to = await target();
  await source.exec(`UPDATE balances SET balance = balance + 1 WHERE member_id = ${BOB}`);
  try {
    const { code, stdout } = await migrate(to.url);
    assert.equal(code, 1);
    const [fault] = JSON.parse(stdout).faults;
    assert.match(fault, /acme: the balance is \d+, but the journal adds up to \d+/);
  } finally {
    await source.exec(`UPDATE balances SET balance = balance - 1 WHERE member_id = ${BOB}`);
  }
});

test('wrong addresses', async () => {
  const wrong: [string[], RegExp][] = [
    [['--to', 'postgres://h/d'], /--to needs --from/],
    [['--from', 'postgres://u:hush@h/d'], /: --from must be sqlite:<path>\.$/m],
    [['--from', 'data/realmkeep.db'], /: --from must be sqlite:<path>\.$/m],
    [['--from', source.url], /: Set DATABASE_URL or --to to the PostgreSQL database\.$/m],
    [
      ['--from', source.url, '--to', 'sqlite:x'],
      /: --to must be postgres:\/\/<host>\/<database>\.$/m,
    ],
    [
      ['--from', source.url, '--to', 'mysql://h/d'],
      /: --to must be postgres:\/\/<host>\/<database>\.$/m,
    ],
    [['--from', source.url, '--to', 'postgres://u:hush@h'], /--to must be postgres:\/\/<user>/],
    [['--from', 'mysql:x', '--to', 'postgres://h/d'], /: --from must be sqlite:<path>\.$/m],
  ];
  for (const [args, sentence] of wrong) {
    const { code, stderr } = await performed(['migrate', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, sentence);
    assert.doesNotMatch(stderr, /hush/);
  }
  const missing = ['--from', 'sqlite:/nowhere/x.db', '--to', 'postgres://127.0.0.1:1/d'];
  const { stderr } = await performed(['migrate', ...missing]);
  assert.match(stderr, /There is no database \/nowhere\/x\.db\. Check --from\.$/m);
});
