import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cli, withoutProgress } from './cli.ts';
import { shell } from './files.ts';
import { writeHistory, writeMuch } from './journal-history.ts';

/** Where an export is written to, whatever the database. */
test('an export writes to a file of its own until it is complete', async (t) => {
  const cli = new Cli(t);
  await writeHistory(cli);
  const file = join(cli.folder, 'once.ndjson');
  // The name of the only temporary file there could be if names were not random.
  writeFileSync(`${file}.part`, 'of another export');
  const ended = await Promise.all(
    [1, 2, 3].map(
      (from) => cli.start(['journal', 'export', 'acme', `--from=${from}`, '--to', file]).ended,
    ),
  );
  assert.ok(ended.some(({ code }) => code === 0));
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const numbers = lines.map((line) => JSON.parse(line).seq);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => numbers[0] + index),
  );
  assert.equal(numbers.at(-1), 39);
  assert.equal(readFileSync(`${file}.part`, 'utf8'), 'of another export');
  assert.deepEqual(
    readdirSync(cli.folder).filter((name) => name.endsWith('.part')),
    ['once.ndjson.part'],
  );
});

test('a reader that closes the pipe ends an export quietly', async (t) => {
  const cli = new Cli(t);
  await writeMuch(cli, 9_000);
  const script = '{ realmkeep journal export acme; echo "ended with $?" >&2; } | head -n 1';
  const { stdout, stderr } = await shell(cli, script);
  assert.equal(JSON.parse(stdout).type, 'realm.created');
  assert.equal(withoutProgress(stderr), 'ended with 0\n');
});

const full = existsSync('/dev/full');
test('a full disk fails an export', { skip: !full && 'no /dev/full here' }, async (t) => {
  const cli = new Cli(t);
  await writeHistory(cli);
  const { code, stderr } = await shell(cli, 'realmkeep journal export acme > /dev/full');
  assert.equal(code, 1);
  assert.match(stderr, /^realmkeep: ENOSPC: .*\n$/);
});
