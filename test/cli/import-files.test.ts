import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { acme, exported, read, write } from './files.ts';

/** Files as they come out of other programs, and what an import says of them. */

test('lines may end with a carriage return alone', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'mac.csv', 'id;name;points\r1;Ada;5\r\r2;"Be;n";x\r3;Cy;7\r');
  const { code, stdout } = await cli.run(['import', 'acme', 'mac.csv']);
  assert.equal(code, 1);
  assert.match(stdout, /^Enrolled 2 members .*\nRefused 1 row; see mac.refused.csv/);
  assert.match(read(cli, 'mac.refused.csv'), /^4;/m);
  assert.match(await exported(cli, 'balances'), /^1,points,5,.*\n3,points,7,/m);
});

test('an empty file is refused, and one without rows is said to have none', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  for (const [file, text] of [
    ['none.csv', ''],
    ['none.ndjson', ''],
    ['blank.csv', '\u{feff}\r\n\r\n'],
  ] as const) {
    write(cli, file, text);
    const { code, stderr } = await cli.run(['import', 'acme', file]);
    assert.notEqual(code, 0);
    assert.match(stderr, new RegExp(`${file} is empty\\.`));
  }
  write(cli, 'header.csv', 'id,points\n');
  const { code, stdout } = await cli.run(['import', 'acme', 'header.csv']);
  assert.deepEqual([code, stdout], [0, 'header.csv has no rows.\n']);
});

test('UTF-16 is told from UTF-8 without a byte order mark', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  for (const text of ['id,points\r\n1,5\r\n', '"id","points"\n1,5\n']) {
    const bytes = Buffer.from(text, 'utf16le');
    for (const content of [bytes, Buffer.from(bytes).swap16()]) {
      writeFileSync(join(cli.folder, 'wide.csv'), content);
      const { code, stderr } = await cli.run(['import', 'acme', 'wide.csv']);
      assert.notEqual(code, 0);
      assert.match(stderr, /wide\.csv is not UTF-8\. Save it as "CSV UTF-8"/);
    }
  }
});

test('a header writes no control characters to the terminal', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'escape.csv', 'who,\x1b[31mred\n1,5\n');
  const refused = await cli.run(['import', 'acme', 'escape.csv']);
  assert.match(refused.stderr, /Its 2 columns: who, \ufffd\[31mred\./);
  const args = ['escape.csv', '--no-balances', '--map', 'id=who'];
  const { stdout } = await cli.run(['import', 'acme', ...args]);
  assert.match(stdout, /^Not imported: \ufffd\[31mred\.$/m);
});

test('the reasons of refused rows speak of cells and of opening balances', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--points', 'points,gems');
  write(cli, 'members.csv', 'id,points,gems\n1,1.250,\n2,-5,\n3,,-6\n4\n');
  assert.equal((await cli.run(['import', 'acme', 'members.csv'])).code, 1);
  const reasons = read(cli, 'members.refused.csv');
  assert.match(
    reasons,
    /^2,"points must be a whole number without separators, such as 1250, from/m,
  );
  const below = (balance: number, kind: string) =>
    `"The opening balance ${balance} is below 0, the lowest balance of the kind ""${kind}""."`;
  assert.ok(reasons.includes(`\n3,${below(-5, 'points')},2,-5,\n`), reasons);
  assert.ok(reasons.includes(`\n4,${below(-6, 'gems')},3,,-6\n`), reasons);
  assert.match(reasons, /^5,"The row has 1 field, but the header has 3\.",4$/m);
});

test('a dry run says what an import would do, and an import what it did', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'first.csv', 'id\n1\n');
  await cli.run(['import', 'acme', 'first.csv', '--no-balances']);
  write(cli, 'members.csv', 'id\n0\n1\n2\n');
  const said = async (...args: string[]) =>
    (await cli.run(['import', 'acme', 'members.csv', '--no-balances', ...args])).stdout
      .trim()
      .split('\n');
  assert.deepEqual(await said('--dry-run'), [
    'A dry run: nothing was changed.',
    'Would enrol 1 member of realm acme: id.',
    'Would leave 1 member unchanged: enrolled already.',
    'Would refuse 1 row; see members.refused.csv for the reasons.',
  ]);
  assert.deepEqual(await said(), [
    'Enrolled 1 member of realm acme: id.',
    'Left 1 member unchanged: enrolled already.',
    'Refused 1 row; see members.refused-2.csv for the reasons.',
  ]);
  const [, updated] = await said('--present', 'update');
  assert.equal(updated, 'Updated 2 members, except for balances.');
});
