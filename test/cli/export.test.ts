import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { acme, exported, write } from './files.ts';

/** Exporting members, balances and statements. */
const ALICE = '80351110224678912';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

for (const format of ['csv', 'ndjson']) {
  test(`an export as ${format} is imported as the same members`, async (t) => {
    const [from, to] = [new Cli(t), new Cli(t)];
    for (const cli of [from, to]) await acme(cli, '--points', 'points,gems');
    const metadata = { note: 'a "quote", a comma\nand a line', n: 5 };
    const members = [
      { id: ALICE, username: '=1+1', displayName: "'=x", metadata, wallets: [WALLET] },
      { id: '2', username: '-', status: 'frozen', balances: { points: 0, gems: 12 } },
      { id: '3', accounts: [{ provider: 'discord', id: '5', username: 'Zoë, "Z"' }] },
      {
        id: '4',
        accounts: [
          { provider: 'x', id: 'a,b' },
          { provider: 'y', id: ';' },
        ],
      },
      { id: '9223372036854775807', displayName: '@all\r\n', balances: { points: 2 ** 53 - 1 } },
    ];
    write(from, 'in.ndjson', members.map((one) => JSON.stringify(one)).join('\n'));
    assert.equal((await from.run(['import', 'acme', 'in.ndjson'])).code, 0);
    const file = join(from.folder, `members.${format}`);
    const wrote = await from.run(['export', 'acme', 'members', '--to', file]);
    assert.match(wrote.stdout, /^Wrote 5 rows of realm acme to /);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const done = await to.run(['import', 'acme', file]);
    assert.equal(done.code, 0, done.stdout);
    const list = async (cli: Cli) => {
      const { items } = (await cli.ask(['member', 'list', 'acme'])) as { items: object[] };
      return items.map((item) => ({ ...item, createdAt: '', updatedAt: '' }));
    };
    assert.deepEqual(await list(to), await list(from));
    assert.equal(await exported(to, 'balances'), await exported(from, 'balances'));
    if (format === 'csv') assert.match(readFileSync(file, 'utf8'), /^\d+,'=1\+1,''=x,active,/m);
  });
}

test('statements have a row for each member of a movement, oldest first', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--auto-enroll');
  await cli.run(['points', 'add', 'acme', '1', '5', '--description', '=SUM(A1)']);
  await cli.run(['points', 'add', 'acme', '1', '-2']);
  const [header, first, second] = (await exported(cli, 'statements')).split('\n');
  assert.equal(
    header,
    'transactionId,at,type,memberId,realmPointId,tokens,balance,counterpartyId,description,' +
      'actor,reversalOf',
  );
  assert.match(first ?? '', /^3,20.*Z,points\.added,1,points,5,5,,'=SUM\(A1\),cli,$/);
  assert.match(second ?? '', /^4,20.*Z,points\.subtracted,1,points,-2,3,,,cli,$/);
  const lines = await exported(cli, 'statements', '--format', 'ndjson');
  assert.deepEqual(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).balance),
    [5, 3],
  );
  const { stdout } = await cli.start(['export', 'acme', 'statements', '--format=ndjson']).ended;
  assert.equal(stdout, lines);
  assert.match((await cli.run(['export', 'acme', 'all'])).stderr, /<what> must be one of members/);
});
