import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cli } from './cli.ts';
import { acme, journalOf, write } from './files.ts';

/** Balances that come later, and imports that are undone. */
async function imported(cli: Cli, ...args: string[]) {
  const { error, ...done } = await cli.ask(['import', 'acme', ...args]);
  return (error ?? done) as Record<string, unknown>;
}

async function balanceOf(cli: Cli, id: string) {
  const { error, status, balances } = await cli.ask(['member', 'show', 'acme', id]);
  return error ? 'gone' : [status, ...Object.values(balances as Record<string, number>)];
}

const isVerified = async (cli: Cli) =>
  assert.match((await cli.run(['verify', 'acme'])).stdout, /^acme: ok/);

test('balances can be given later to members whose points have never moved', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--points', 'points,gems');
  write(cli, 'names.csv', 'id,name,Status\n1,One,\n2,Two,\n3,Three,Frozen\n, ,\n');
  assert.equal((await imported(cli, 'names.csv', '--no-balances')).enrolled, 3);
  await cli.run(['points', 'add', 'acme', '2', '1']);
  write(cli, 'balances.csv', 'id,name,coins,gems\n1,New,5,6\n2,New,5,6\n3,New,5,6\n4,Four,5,6\n');
  const dry = await imported(cli, 'balances.csv', '--present', 'open', '--dry-run');
  const done = await imported(cli, 'balances.csv', '--present', 'open');
  for (const { enrolled, opened, present, refused } of [dry, done]) {
    assert.deepEqual([enrolled, opened, present, refused], [1, 2, 0, 1]);
  }
  assert.deepEqual(await balanceOf(cli, '1'), ['active', 5, 6]);
  assert.deepEqual(await balanceOf(cli, '2'), ['active', 1, 6], 'its points have moved');
  assert.deepEqual(await balanceOf(cli, '3'), ['frozen', 0, 0]);
  assert.equal((await cli.ask(['member', 'show', 'acme', '1'])).displayName, 'One');
  const again = await imported(cli, 'balances.csv', '--present', 'open');
  assert.deepEqual([again.opened, again.present], [0, 3], 'nobody gets a balance twice');
  const { stdout } = await cli.run(['import', 'acme', 'balances.csv']);
  assert.match(stdout, /^Left 4 members unchanged: .* with --present open\.$/m);
  await isVerified(cli);
});

test('an import is undone as a whole, and a corrected file can follow', async (t) => {
  const cli = new Cli(t);
  await acme(cli, '--points', 'points,gems');
  write(cli, 'first.csv', 'id\n9\n');
  await imported(cli, 'first.csv', '--no-balances');
  write(cli, 'wrong.csv', 'id,coins,gems,status\n1,50,6,\n2,,,\n3,70,,frozen\n9,90,,\n');
  await imported(cli, 'wrong.csv', '--present', 'open');
  const before = await journalOf(cli);
  const undo = ['import', 'acme', 'wrong.csv', '--undo'];
  const dry = await cli.run([...undo, '--dry-run']);
  assert.match(dry.stdout, /^Would undo .*: remove 3 members, reverse 4 opening balances\.$/m);
  assert.equal(await journalOf(cli), before);
  const { removed, reversed, left, ok } = await cli.ask(undo);
  assert.deepEqual([removed, reversed, left, ok], [3, 4, 0, true]);
  for (const id of ['1', '2', '3']) assert.equal(await balanceOf(cli, id), 'gone');
  assert.deepEqual(await balanceOf(cli, '9'), ['active', 0, 0]);
  const none = await cli.run(undo);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /Nothing of wrong\.csv is left to undo in realm acme\./);
  write(cli, 'right.csv', 'id,coins,gems,status\n1,5,6,\n2,,,\n3,7,,frozen\n');
  assert.equal((await imported(cli, 'right.csv')).refused, 3, 'they were removed');
  assert.equal((await imported(cli, 'right.csv', '--again')).enrolled, 3);
  assert.deepEqual(await balanceOf(cli, '3'), ['frozen', 7, 0]);
  assert.match((await cli.run(undo)).stderr, /Nothing of wrong\.csv is left/);
  await isVerified(cli);
});

test('nothing is undone once something of it was spent', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  write(cli, 'members.csv', 'id,coins\n1,5\n2,6\n');
  await imported(cli, 'members.csv');
  await cli.run(['points', 'add', 'acme', '2', '-1']);
  const before = await journalOf(cli);
  const { code, stderr } = await cli.run(['import', 'acme', 'members.csv', '--undo']);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /Nothing was undone\. Since the import, .* moved .* or they were frozen: 2\.$/m,
  );
  assert.equal(await journalOf(cli), before);
});

test('all that was imported from a file is one import', async (t) => {
  const cli = new Cli(t);
  await acme(cli);
  const rows = Array.from({ length: 1_200 }, (_, index) => `${index + 1},${index}\n`).join('');
  write(cli, 'members.csv', `id,points\n${rows}`);
  await imported(cli, 'members.csv');
  // As if the first run had been interrupted, and some of it undone by hand.
  await cli.run(['member', 'erase', 'acme', '1']);
  write(cli, 'other.csv', `id,points\n${rows}5000,1\n`);
  await imported(cli, 'other.csv');
  const { removed, reversed } = await cli.ask(['import', 'acme', 'members.csv', '--undo']);
  assert.deepEqual([removed, reversed], [1_199, 1_199]);
  assert.deepEqual(await balanceOf(cli, '5000'), ['active', 1]);
  await isVerified(cli);
});
