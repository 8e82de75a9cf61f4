import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { acme, exported, journalOf, read, write } from './files.ts';

/** Importing members. */
const ALICE = '80351110224678912';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** What an import says, in short. */
async function imported(cli: Cli, ...args: string[]) {
  const { enrolled, present, updated, refused, error } = await cli.ask(['import', 'acme', ...args]);
  return error ?? { enrolled, present, updated, refused };
}

test('columns are found by usual names, and --map names others', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--points', 'points,gems');
  write(
    cli,
    'bot.csv',
    `\u{feff}User ID;name;Discord ID;coins;Gems;wallet;vip;joined\r\n` +
      `${ALICE};"Alice ""Al""; the first";${ALICE};1250;3;${WALLET.toLowerCase()};gold;2024\r\n` +
      `\r\n` +
      `9223372036854775807;"two\r\nlines";;-0;;;;2024`,
  );
  const maps = ['--map', 'balances.points=coins', '--map', 'metadata.tier=vip'];
  const { stdout, code } = await cli.run(['import', 'acme', 'bot.csv', ...maps]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Enrolled 2 members of realm acme: .*balances.points from coins/);
  assert.match(stdout, /^Not imported: joined\.$/m);
  const { createdAt, updatedAt, lastActiveAt, credentials, ...alice } = await cli.ask([
    'member',
    'show',
    'acme',
    ALICE,
  ]);
  assert.equal((credentials as unknown[]).length, 2);
  assert.deepEqual(alice, {
    id: ALICE,
    memberId: ALICE,
    dripId: ALICE.padStart(24, '0'),
    tokens: 1250,
    realmId: 'acme',
    username: null,
    displayName: 'Alice "Al"; the first',
    status: 'active',
    tokenBalance: 1250,
    balances: { points: 1250, gems: 3 },
    held: { points: 0, gems: 0 },
    available: { points: 1250, gems: 3 },
    accounts: [{ provider: 'discord', id: ALICE, username: null }],
    wallets: [WALLET],
    tags: [],
    note: null,
    metadata: { tier: 'gold' },
  });
  assert.ok(createdAt === updatedAt);
  assert.ok(String(lastActiveAt) >= String(createdAt));
  const last = await cli.ask(['member', 'show', 'acme', '9223372036854775807']);
  assert.equal(last.displayName, 'two\r\nlines');
  assert.match(await journalOf(cli), /"type":"points.opened".*"tokens":1250/);
});

test('rows of NDJSON have the types of the API, or fields of other names', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(
    cli,
    'bot.ndjson',
    [
      `{"id":${ALICE},"username":"alice","balances":{"points":7},"wallets":["${WALLET}"]}`,
      '{"user_id":"2","stats":{"coins":5},"discord":175928847299117063}',
      '{"id":"3","stats":{"coins":"5"}}',
      '[]',
      '{"id":4,',
      '{"username":"nobody"}',
    ].join('\n'),
  );
  const map = ['--map', 'balances.points=stats.coins'];
  const done = await imported(cli, 'bot.ndjson', ...map);
  assert.deepEqual(done, { enrolled: 2, present: 0, updated: 0, refused: 4 });
  const two = await cli.ask(['member', 'show', 'acme', '2']);
  assert.equal(two.tokenBalance, 5);
  assert.deepEqual(two.accounts, [
    { provider: 'discord', id: '175928847299117063', username: null },
  ]);
  const refused = read(cli, 'bot.refused.ndjson').trim().split('\n');
  assert.deepEqual(
    refused.map((line) => JSON.parse(line).refusedLine),
    [3, 4, 5, 6],
  );
  assert.match(refused[0] ?? '', /"stats.coins must be a JSON integer .*"id":"3"/);
  assert.match(refused[3] ?? '', /"id is missing\.","username":"nobody"}$/);
});

test('20 bad rows among 5,000 are refused with their lines, and can be corrected', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const lines = Array.from({ length: 5_000 }, (_, index) => `${index + 1},user${index},${index}`);
  const bad = Array.from({ length: 20 }, (_, index) => 10 + index * 249);
  const faults = ['0,zero,1', '8.03511E+16,rounded,1', '77,one,1.5', '78,few', '1,again,1'];
  for (const [index, at] of bad.entries()) lines[at] = faults[index % faults.length] ?? '';
  write(cli, 'members.csv', `id,username,points\n${lines.join('\n')}\n`);
  const { code, stdout } = await cli.run(['import', 'acme', 'members.csv']);
  assert.equal(code, 1);
  assert.match(stdout, /^Enrolled 4,980 members .*\nRefused 20 rows; see members.refused.csv/);
  const [header, ...refused] = read(cli, 'members.refused.csv').trim().split('\n');
  assert.equal(header, 'refusedLine,refusedReason,id,username,points');
  assert.deepEqual(
    refused.map((line) => Number.parseInt(line, 10)),
    bad.map((at) => at + 2),
  );
  assert.match(refused[1] ?? '', /id must be .*8\.03511E\+16,rounded,1$/);
  assert.match(refused[2] ?? '', /"?points must be .*77,one,1\.5$/);
  assert.match(refused[3] ?? '', /,"The row has 2 fields, but the header has 3\.",78,few$/);
  assert.match(refused[4] ?? '', /,Member 1 is in line 2 already\.,1,again,1$/);
  write(cli, 'again.csv', `${header}\n${refused[2]?.replace('77,one,1.5', '9001,one,1')}\n`);
  assert.deepEqual(await imported(cli, 'again.csv'), {
    enrolled: 1,
    present: 0,
    updated: 0,
    refused: 0,
  });
});

test('two imports at once enrol each member once', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const ids = Array.from({ length: 6_000 }, (_, index) => index + 1);
  const rows = ids.map((id) => `${id},${`user ${id} `.repeat(4)},${id}\n`).join('');
  write(cli, 'members.csv', `id,username,points\n0,nobody,"1\n${rows}`);
  const both = [1, 2].map(() => cli.start(['import', 'acme', 'members.csv', '--json']));
  const done = await Promise.all(both.map(async ({ ended }) => JSON.parse((await ended).stdout)));
  const sumOf = (count: string) => done.reduce((sum, one) => sum + one[count], 0);
  t.diagnostic(`they enrolled ${done.map(({ enrolled }) => enrolled).join(' and ')}`);
  assert.deepEqual(['enrolled', 'present', 'refused'].map(sumOf), [6_000, 6_000, 2]);
  const files = done.map(({ refusedFile }) => refusedFile);
  assert.deepEqual(files.toSorted(), ['members.refused-2.csv', 'members.refused.csv']);
  for (const file of files) assert.match(read(cli, file), /^2,The row has .*,0,nobody,"""1"$/m);
  const balances = (await exported(cli, 'balances')).trim().split('\n').slice(1);
  assert.deepEqual(
    balances.map((line) => line.split(',').slice(0, 3).join(',')),
    ids.map((id) => `${id},points,${id}`),
  );
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok/);
});

test('a dry run finds what an import would refuse, and changes nothing', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'first.csv', `id,points,wallet\n1,5,${WALLET}\n2,6,\n`);
  const rows = `id,points,wallet\n1,5,\n2,-1,\n3,-1,\n4,1,${WALLET}\n5,9,0x12\n6,9,\n`;
  write(cli, 'second.csv', rows);
  const before = await journalOf(cli);
  const dry = await imported(cli, 'first.csv', '--dry-run');
  assert.deepEqual(dry, { enrolled: 2, present: 0, updated: 0, refused: 0 });
  assert.equal(await journalOf(cli), before);
  assert.deepEqual(await imported(cli, 'first.csv'), dry);
  const then = await journalOf(cli);
  const found = await imported(cli, 'second.csv', '--dry-run');
  assert.deepEqual(found, { enrolled: 1, present: 2, updated: 0, refused: 3 });
  assert.equal(await journalOf(cli), then);
  const reasons = read(cli, 'second.refused.csv');
  assert.match(reasons, /^4,.*-1/m);
  assert.match(reasons, /^5,.*already.*member 1/m);
  assert.match(reasons, /^6,wallet 0x12 is not 0x followed by exactly 40 hex digits\.,5/m);
  assert.deepEqual(await imported(cli, 'second.csv'), found);
  assert.notEqual(await journalOf(cli), then);
});

test('a dry run finds what batches would take from each other', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const rows = Array.from({ length: 2_500 }, (_, index) => [index + 1, '', '']);
  rows[0] = [1, WALLET, ''];
  rows[1] = [2, '', 'x:2'];
  rows[1_500] = [1_501, WALLET, ''];
  rows[1_501] = [1_502, '', 'x:2'];
  rows[2_400] = [2_401, '', 'x:4'];
  rows[2_401] = [2_402, '', 'x:4'];
  write(cli, 'members.csv', `id,wallets,accounts\n${rows.map((row) => row.join()).join('\n')}`);
  const dry = await imported(cli, 'members.csv', '--no-balances', '--dry-run');
  assert.deepEqual(dry, { enrolled: 2_497, present: 0, updated: 0, refused: 3 });
  assert.deepEqual(await imported(cli, 'members.csv', '--no-balances'), dry);
  const reasons = read(cli, 'members.refused.csv');
  assert.match(reasons, /^1502,The wallet \S+ already belongs to member 1\.,1501/m);
  assert.match(reasons, /^1503,The account x:2 already belongs to member 2\.,1502/m);
  assert.equal(read(cli, 'members.refused-2.csv'), reasons);
});

test('refused rows overwrite no file', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'members.csv', 'id\n0\n1\n');
  const before = await journalOf(cli);
  for (const [file, sentence] of [
    ['members.csv', /--refused names an existing file, which is never overwritten/],
    ['nowhere/refused.csv', /There is no folder nowhere/],
  ] as const) {
    const args = ['members.csv', '--no-balances', '--refused', file];
    const { code, stderr } = await cli.run(['import', 'acme', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  }
  assert.equal(await journalOf(cli), before);
  for (const args of [['--refused', 'mine.csv'], [], []]) {
    await imported(cli, 'members.csv', '--no-balances', ...args);
  }
  for (const file of ['mine.csv', 'members.refused.csv', 'members.refused-2.csv']) {
    assert.match(read(cli, file), /^2,"id must be .*",0$/m);
  }
  assert.equal(read(cli, 'members.csv'), 'id\n0\n1\n');
});

test('a repeated import enrols nobody twice, nor who has left', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--auto-enroll');
  write(cli, 'members.csv', 'id,name,points,status\n1,One,5,frozen\n2,Two,6,\n3,Three,0,\n');
  const none = { enrolled: 0, present: 0, updated: 0, refused: 0 };
  assert.deepEqual(await imported(cli, 'members.csv'), { ...none, enrolled: 3 });
  await cli.run(['points', 'add', 'acme', '2', '100']);
  await cli.database.exec(`UPDATE members SET status = 'removed' WHERE member_id = 3`);
  write(
    cli,
    'more.csv',
    'id,name,points,status\n1,New,50,active\n2,Two,60,\n3,Three,0,\n4,Four,1,\n',
  );
  const more = { ...none, enrolled: 1, present: 2, refused: 1 };
  assert.deepEqual(await imported(cli, 'more.csv'), more);
  assert.match(
    read(cli, 'more.refused.csv'),
    /^4,"?Member 3 was removed; an import enrols nobody again/m,
  );
  const show = async (id: string) => {
    const { displayName, status, tokenBalance } = await cli.ask(['member', 'show', 'acme', id]);
    return [displayName, status, tokenBalance];
  };
  assert.deepEqual(await show('1'), ['One', 'frozen', 5]);
  assert.deepEqual(await show('2'), ['Two', 'active', 106]);
  const refuse = await imported(cli, 'more.csv', '--present', 'refuse');
  assert.deepEqual(refuse, { ...none, refused: 4 });
  const update = await imported(cli, 'more.csv', '--present', 'update');
  assert.deepEqual(update, { ...none, updated: 3, refused: 1 });
  assert.deepEqual(await show('1'), ['New', 'active', 5]);
  assert.deepEqual(await show('2'), ['Two', 'active', 106]);
});

test('what cannot be imported at all is refused before anything is written', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'a.csv', 'who,points\n1,5\n');
  writeFileSync(join(cli.folder, 'latin.csv'), Buffer.from('id,name\n1,Zo\xeb\n', 'latin1'));
  const many = Array.from({ length: 20_000 }, (_, index) => `${index + 1},Zoe,5\n`).join('');
  const late = Buffer.from(`id,name,points\n${many}20001,Zo\xeb,5\n`, 'latin1');
  writeFileSync(join(cli.folder, 'late.csv'), late);
  write(cli, 'two.csv', 'id,Coins,xp\n1,5,6\n');
  write(cli, 'three.csv', 'id,coins,xp,cash,\n1,5,6,7,\n');
  write(cli, 'none.csv', 'id,name\n1,Zoe\n');
  write(cli, 'none.ndjson', '{"id":1}\n{"id":2,"name":"Zoe"}\n');
  write(cli, 'a.json', '[\n  {"id": 1}\n]\n');
  write(cli, 'quote.csv', '"id,name\n1,Zoe\n');
  write(cli, 'line.ndjson', `[${'{"id": 1}, '.repeat(400_000)}]`);
  write(cli, 'mac.csv', `id,name\n${'1,Zoe\r'.repeat(800_000)}`);
  for (const [args, sentence] of [
    [['a.json'], /a\.json is JSON, not CSV\. Write one object per line, .*\.ndjson/],
    [['quote.csv'], /quote\.csv has a faulty header: it has a quote without its end\./],
    [['line.ndjson'], /Line 1 of line\.ndjson has more than 4 MB\. Write one JSON object per line/],
    [['mac.csv'], /Line 2 of mac\.csv has more than 4 MB\. End each line .* \(LF or CRLF\)/],
    [['a.csv'], /Which column is the member's id\? .*--map id=<column>.* who, points/],
    [['a.csv', '--map', 'id=nobody'], /There is no column "nobody"/],
    [['a.csv', '--map', 'id=who', '--map', 'balances.gold=points'], /no kind of points "gold"/],
    [['a.csv', '--map', 'nonsense=who'], /--map nonsense=who must be <field>=<column>/],
    [['a.csv', '--present', 'maybe'], /--present must be one of skip, open, update, refuse/],
    [['late.csv'], /late\.csv is not UTF-8/],
    [['two.csv'], /Which is the balance, Coins or xp\? .*--map balances\.points=.*--no-balances/],
    [['three.csv'], /balance, coins, xp or cash\? .* Its 5 columns: .*, cash, \(no name\)\./],
    [['none.csv'], /No column is a balance\. .*--no-balances\. Its 2 columns: id, name\./],
    [['none.ndjson'], /No column is a balance\. .*--no-balances\. Its 2 columns: id, name\./],
    [['none.csv', '--no-balances', '--map', 'balances.points=name'], /exclude each other/],
    [['latin.csv'], /latin\.csv is not UTF-8/],
    [['gone.csv'], /There is no file gone\.csv/],
    [['.'], /\. is not a regular file\. Save it as one first\./],
    [['/dev/null'], /\/dev\/null is not a regular file\./],
  ] as [string[], RegExp][]) {
    const { code, stderr } = await cli.run(['import', 'acme', ...args]);
    assert.notEqual(code, 0);
    assert.match(stderr, sentence);
  }
  assert.ok(!existsSync(join(cli.folder, 'a.refused.csv')));
  assert.equal((await journalOf(cli)).trim().split('\n').length, 1);
});
