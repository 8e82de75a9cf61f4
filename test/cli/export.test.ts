import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { acme, exported, write } from './files.ts';

/** Exporting members, balances and statements. */
const ALICE = '80351110224678912';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** Text that a file, a spreadsheet or a database might take for something else. */
const HOSTILE = [
  '=1+1',
  "'=x",
  "''-2",
  "'",
  '"',
  '""',
  '-',
  '+49',
  '@all\r\n',
  '\t=tab',
  '\r',
  '\n',
  ' ',
  "' ",
  ' \u{2003}',
  ' blanks around ',
  'a,b;c\td|e',
  'a "quote", a comma\nand a line',
  '\\"\\n\\u0041',
  'null',
  '0',
  '007',
  '1e5',
  '[1]',
  '{"a":1}',
  '\u{feff}marked',
  'Zoë · 日本語 · שלום · 👩‍👩‍👧',
  'e\u0301 is not \u00e9',
  '\u{10ffff}',
  '__proto__',
  "'; DROP TABLE members; --",
];

const SOLANA = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const METADATA = {
  text: 'a "quote", a comma\nand a line',
  number: -0.5,
  nested: { list: [1, null, true, { '': '' }], 'a.b': '=1' },
  empty: {},
};

const hostileMembers = [
  ...HOSTILE.map((text, index) => ({
    id: String(9_007_199_254_740_993n + BigInt(index)),
    username: text,
    displayName: text,
    metadata: { text, [`key ${text}`]: [text] },
    accounts: [{ provider: 'discord', id: String(index), username: text }],
    balances: { points: index, gems: -index },
  })),
  { id: ALICE, wallets: [WALLET, SOLANA], metadata: METADATA, status: 'frozen' },
  { id: '1', accounts: ['a,b', ';', 'a:b', '[x', "'=1"].map((id) => ({ provider: 'x', id })) },
  { id: '9223372036854775807', balances: { points: 2 ** 53 - 1 } },
];

for (const format of ['csv', 'ndjson']) {
  test(`an export as ${format} is imported as the same members`, async (t) => {
    const [from, to] = [new Cli(t), new Cli(t)];
    for (const cli of [from, to]) {
      await acme(cli, '--points', 'points,gems');
      // Debts move, too.
      await cli.database.exec('UPDATE point_kinds SET minimum_balance = -100');
    }
    write(from, 'in.ndjson', hostileMembers.map((one) => JSON.stringify(one)).join('\n'));
    const first = await from.run(['import', 'acme', 'in.ndjson']);
    assert.equal(first.code, 0, first.stdout);
    const file = join(from.folder, `members.${format}`);
    const wrote = await from.run(['export', 'acme', 'members', '--to', file]);
    assert.match(
      wrote.stdout,
      new RegExp(`^Wrote ${hostileMembers.length} rows of realm acme to `),
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const done = await to.run(['import', 'acme', file]);
    assert.equal(done.code, 0, done.stdout);
    assert.deepEqual(await membersOf(to), await membersOf(from));
    assert.deepEqual(
      new Set((await membersOf(to)).map(({ username }) => username)),
      new Set([...HOSTILE, null]),
    );
    assert.equal(await exported(to, 'balances'), await exported(from, 'balances'));
    // No spreadsheet runs anything of it.
    if (format === 'csv') assert.doesNotMatch(readFileSync(file, 'utf8'), /(^|,)"?[=+@\t\r]/m);
  });
}

async function membersOf(cli: Cli): Promise<Record<string, unknown>[]> {
  const answer = await cli.ask(['member', 'list', 'acme', '--limit', '500']);
  const items = answer.items as Record<string, unknown>[];
  return items.map((item) => ({ ...item, createdAt: '', updatedAt: '', lastActiveAt: '' }));
}

test('statements say that a description was erased', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--auto-enroll');
  await cli.run(['points', 'add', 'acme', '1', '5', '--description', 'thanks']);
  await cli.run(['points', 'add', 'acme', '1', '-5']);
  assert.equal((await cli.run(['member', 'erase', 'acme', '1'])).code, 0);
  const [, first, second] = (await exported(cli, 'statements')).split('\n');
  assert.match(first ?? '', /,5,5,,,cli,,true,,,$/);
  assert.match(second ?? '', /,-5,0,,,cli,,,,,$/);
  const lines = (await exported(cli, 'statements', '--format', 'ndjson')).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ description, erased }) => [description, erased]),
    [
      [null, true],
      [null, undefined],
    ],
  );
});

test('statements have a row for each member of a movement, oldest first', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--auto-enroll');
  await cli.run(['points', 'add', 'acme', '1', '5', '--description', '=SUM(A1)']);
  await cli.run(['points', 'add', 'acme', '1', '-2']);
  const [header, first, second] = (await exported(cli, 'statements')).split('\n');
  assert.equal(
    header,
    'transactionId,at,type,memberId,realmPointId,tokens,balance,counterpartyId,description,' +
      'actor,reversalOf,erased,reference,metadata,onBehalfOf',
  );
  assert.match(first ?? '', /^3,20.*Z,points\.added,1,points,5,5,,'=SUM\(A1\),cli,,,,,$/);
  assert.match(second ?? '', /^4,20.*Z,points\.subtracted,1,points,-2,3,,,cli,,,,,$/);
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
