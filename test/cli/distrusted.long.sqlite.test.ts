import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { cliWithBackup, cliWithHistory } from './backing-up.ts';

/** What a backup or a database says is not trusted. */
test('a restored database has no sessions, one-time links or open challenges', async (t) => {
  const cli = await cliWithHistory(t);
  const ROOT_KEY = 'a-root-key-of-more-than-32-characters';
  const serve = cli.start(['serve', '--json'], { LOG_LEVEL: 'error', ROOT_KEY });
  const { url } = await serve.firstObject();
  const signIn = await fetch(`${url}/api/v4/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ROOT_KEY}` },
  });
  assert.equal(signIn.status, 201);
  assert.equal((await cli.run(['console-link'], { ROOT_KEY })).code, 0);
  serve.child.kill('SIGTERM');
  await serve.ended;
  const countIn = (file: string, what: string): unknown => {
    using db = new DatabaseSync(join(cli.folder, file));
    return db.prepare(`SELECT count(*) AS count FROM ${what}`).get()?.count;
  };
  const change = new DatabaseSync(join(cli.folder, 'realmkeep.db'));
  change.exec(`INSERT INTO challenges (realm_id, nonce, member_id, wallet_key, message, expires_at)
    VALUES ('acme', 'n', 1, 'k', 'm', 9000000000000)`);
  change.close();
  const sessions = Number(countIn('realmkeep.db', 'sessions'));
  assert.ok(sessions >= 2);
  assert.equal((await cli.run(['backup', 'a.db'])).code, 0);
  const { stdout } = await cli.run(['restore', 'a.db', '--force']);
  assert.match(stdout, new RegExp(`^Ended ${sessions} sessions and one-time links of`, 'm'));
  const open = 'challenges WHERE used_at IS NULL';
  assert.deepEqual([countIn('a.db', 'sessions'), countIn('a.db', open)], [sessions, 1]);
  assert.deepEqual([countIn('realmkeep.db', 'sessions'), countIn('realmkeep.db', open)], [0, 0]);
});

test('without a database to compare with, the report says what to check', async (t) => {
  const cli = await cliWithBackup(t);
  const DATABASE_URL = `sqlite:${join(cli.folder, 'new', 'realmkeep.db')}`;
  const { stdout } = await cli.run(['restore', 'a.db'], { DATABASE_URL });
  assert.match(stdout, /nothing to tell what was revoked, erased or deleted since/);
  assert.match(stdout, /^npx realmkeep key list <realm>/m);
});

const TRIGGER = `CREATE TRIGGER more AFTER INSERT ON journal BEGIN
  UPDATE balances SET balance = balance + 1000; END`;
const changes: [what: string, sql: string, fault: RegExp][] = [
  ['a trigger', TRIGGER, /its schema has the trigger more, which is not of this program/],
  [
    'a view in place of a table',
    `ALTER TABLE sessions RENAME TO other; CREATE VIEW sessions AS SELECT * FROM other`,
    /its schema has the table other/,
  ],
  ['a missing table', 'DROP TABLE challenges', /its schema lacks the table challenges/],
  ['a missing index', 'DROP INDEX holds_due', /its schema lacks the index holds_due/],
  [
    'another column',
    'ALTER TABLE holds ADD COLUMN x TEXT',
    /the table holds is not as this program/,
  ],
];

for (const [what, sql, fault] of changes) {
  test(`a database with ${what} is refused by restore, start and doctor`, async (t) => {
    const cli = await cliWithBackup(t);
    for (const file of ['a.db', 'realmkeep.db']) {
      using db = new DatabaseSync(join(cli.folder, file));
      db.exec(sql);
    }
    const restored = await cli.run(['restore', 'a.db', '--force']);
    assert.equal(restored.code, 1);
    assert.match(restored.stderr, fault);
    assert.match(restored.stderr, /The backup a\.db is damaged: .*Nothing was changed/);
    for (const command of ['serve', 'doctor', 'verify']) {
      const { code, stdout, stderr } = await cli.run([command]);
      assert.equal(code, 1, command);
      assert.match(`${stdout}${stderr}`, fault, command);
    }
  });
}

test('a start refuses holds that were opened again', async (t) => {
  const cli = await cliWithHistory(t);
  await cli.database.exec("UPDATE holds SET captured = 0, status = 'open'");
  const { code, stderr } = await cli.run(['serve']);
  assert.equal(code, 1);
  assert.match(stderr, /is damaged: in realm acme .*hold.* restore a backup/);
});

test('settings that are not JSON are damage, not a bug', async (t) => {
  const cli = await cliWithHistory(t);
  await cli.database.exec("UPDATE realms SET settings = '{'");
  for (const command of ['serve', 'verify']) {
    const { code, stderr } = await cli.run([command]);
    assert.equal(code, 1, command);
    assert.match(stderr, /: the settings of a row are not JSON\./, command);
    assert.doesNotMatch(stderr, /bug/, command);
  }
});
