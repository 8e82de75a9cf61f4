import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Cli, performed, withoutProgress } from './cli.ts';
import { shell } from './files.ts';
import { damages, strip } from './journal-damage.ts';
import { writeHistory, writeMuch } from './journal-history.ts';

const ZEROS = '0'.repeat(64);

async function exported(t: TestContext): Promise<{ cli: Cli; file: string; lines: string[] }> {
  const cli = new Cli(t);
  await writeHistory(cli);
  const file = join(cli.folder, 'acme.ndjson');
  const { code, stdout, stderr } = await cli.run(['journal', 'export', 'acme', '--to', file]);
  assert.deepEqual([code, withoutProgress(stderr)], [0, '']);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.endsWith('\n'));
  const lines = text.slice(0, -1).split('\n');
  const { hash } = JSON.parse(lines.at(-1) ?? '');
  assert.equal(stdout, `Wrote 39 records of realm acme, head ${hash}\n`);
  return { cli, file, lines };
}

function write(cli: Cli, lines: string[]): string {
  const file = join(cli.folder, 'changed.ndjson');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

test('an export can be checked by cutting off personal parts and hashes', async (t) => {
  const { lines } = await exported(t);
  let head = ZEROS;
  for (const [index, line] of lines.entries()) {
    const { seq, hash } = JSON.parse(line);
    assert.equal(seq, index + 1);
    head = createHash('sha256')
      .update(`${head}\n${strip(line)}`)
      .digest('hex');
    assert.equal(hash, head);
  }
});

test('an exported file is complete or absent, and never overwritten', async (t) => {
  const { cli, file } = await exported(t);
  const again = await cli.run(['journal', 'export', 'acme', '--to', file]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /--to names an existing file/);
  const part = join(cli.folder, 'part.ndjson');
  const { head, ...rest } = await cli.ask(['journal', 'export', 'acme', '--from=38', '--to', part]);
  assert.deepEqual(rest, { realmId: 'acme', from: 38, records: 2, file: part });
  assert.equal(
    readFileSync(part, 'utf8'),
    readFileSync(file, 'utf8').split('\n').slice(37).join('\n'),
  );
  assert.match(String(head), /^[0-9a-f]{64}$/);
  const lost = join(cli.folder, 'lost.ndjson');
  const { code, stderr } = await cli.run(['journal', 'export', 'acne', '--to', lost]);
  assert.equal(code, 1);
  assert.match(stderr, /There is no realm "acne" in \S*(realmkeep|postgres)/);
  assert.deepEqual(
    readdirSync(cli.folder).filter((name) => /lost|\.part$/.test(name)),
    [],
  );
  assert.ok(!existsSync(lost));
});

test('an export that cannot be written, or would be empty, says why', async (t) => {
  const cli = new Cli(t);
  await writeHistory(cli);
  const nowhere = join(cli.folder, 'nowhere');
  const lost = await cli.run(['journal', 'export', 'acme', '--to', join(nowhere, 'a.ndjson')]);
  assert.deepEqual([lost.code, lost.stderr], [2, `realmkeep: There is no folder ${nowhere}.\n`]);
  const sentence = 'There is no record 40: the journal of realm acme ends with 39.';
  for (const to of [[], ['--to', join(cli.folder, 'empty.ndjson')]]) {
    const empty = await cli.run(['journal', 'export', 'acme', '--from=40', ...to]);
    assert.deepEqual([empty.code, empty.stdout], [1, '']);
    assert.equal(empty.stderr, `realmkeep: ${sentence}\n`);
  }
  assert.ok(!readdirSync(cli.folder).some((name) => name.startsWith('empty')));
});

test('a folder cannot be checked', async (t) => {
  const { folder } = new Cli(t);
  const { code, stderr } = await performed(['journal', 'check', folder]);
  assert.equal(code, 2);
  assert.equal(stderr, `realmkeep: ${folder} is a folder, not an exported file.\n`);
});

for (const from of ['0', '-1', '1.5', 'x', '9007199254740992']) {
  test(`exit 2: realmkeep journal export acme --from=${from}`, async () => {
    const { code, stderr } = await performed(['journal', 'export', 'acme', `--from=${from}`]);
    assert.equal(code, 2);
    assert.match(stderr, /--from must be an integer from 1 to 9007199254740991/);
  });
}

test('export | check reports the same count and head as verify', async (t) => {
  const cli = new Cli(t);
  await writeMuch(cli, 3_000);
  const { realms } = await cli.ask(['verify']);
  const [{ head }] = realms as [{ head: string }];
  const { code, stdout, stderr } = await shell(
    cli,
    'realmkeep journal export acme | realmkeep journal check -',
  );
  assert.deepEqual([code, withoutProgress(stderr)], [0, '']);
  assert.equal(stdout, `acme: ok, 3,002 records, head ${head}\n`);
});

test('check needs no database', async (t) => {
  const { file, lines } = await exported(t);
  const { hash } = JSON.parse(lines.at(-1) ?? '');
  const said = await performed(['journal', 'check', file]);
  assert.deepEqual(said, { code: 0, stdout: `acme: ok, 39 records, head ${hash}\n`, stderr: '' });
  const { stdout } = await performed(['journal', 'check', file, '--json']);
  assert.deepEqual(JSON.parse(stdout), {
    ok: true,
    realmId: 'acme',
    records: 39,
    from: 1,
    head: hash,
    balancesChecked: true,
  });
});

test('--head must be the hash of a record', async (t) => {
  const { cli, file, lines } = await exported(t);
  const noted = String(JSON.parse(lines[20] ?? '').hash);
  const check = (path: string, head: string) =>
    performed(['journal', 'check', path, '--head', head]);
  assert.equal((await check(file, noted.toUpperCase())).code, 0);
  const cut = await check(write(cli, lines.slice(0, 20)), noted);
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, new RegExp(`changed\\.ndjson: no record has the hash ${noted}`));
  assert.equal((await check(file, 'abc')).code, 2);
});

test('each kind of tampering with an export is reported with its line', async (t) => {
  const { cli, lines } = await exported(t);
  for (const { name, change, line, fault } of damages) {
    const file = write(cli, change(lines));
    const { code, stdout } = await performed(['journal', 'check', file]);
    assert.equal(code, 1, name);
    assert.match(
      stdout,
      line === null ? /changed\.ndjson: / : new RegExp(`, line ${line}: `),
      name,
    );
    assert.match(stdout, fault, name);
    const told = JSON.parse((await performed(['journal', 'check', file, '--json'])).stdout);
    assert.equal(told.ok, false);
    assert.equal(told.line, line, name);
    assert.match(told.fault.detail, fault);
  }
});

test('a truncated file, or one of another kind, is a fault', async (t) => {
  const { cli, file } = await exported(t);
  const cut = join(cli.folder, 'cut.ndjson');
  const whole = readFileSync(file);
  for (const [bytes, line] of [
    [whole.subarray(0, -20), 39],
    [Buffer.concat([Buffer.from('\ufeff'), whole]), 1],
    [Buffer.from([0xff, 0xfe, 10]), 1],
  ] as const) {
    writeFileSync(cut, bytes);
    const { code, stdout } = await performed(['journal', 'check', cut]);
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`cut\\.ndjson, line ${line}: not a record in the export`));
  }
  const missing = await performed(['journal', 'check', join(cli.folder, 'none')]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^realmkeep: There is no file .*none\. Check the path\.\n$/);
});

test('of an export from the middle only the chain is checked', async (t) => {
  const { cli, lines } = await exported(t);
  const tail = lines.slice(9);
  const good = await performed(['journal', 'check', write(cli, tail)]);
  assert.equal(good.code, 0);
  assert.match(good.stdout, /^acme: ok, 30 records from 10 on, head [0-9a-f]{64}\n/);
  assert.match(good.stdout, /first record is trusted,\nand balances are not checked\.\n$/);
  const json = JSON.parse(
    (await performed(['journal', 'check', write(cli, tail), '--json'])).stdout,
  );
  assert.deepEqual([json.ok, json.from, json.balancesChecked], [true, 10, false]);
  for (const [changed, fault] of [
    [tail.with(7, (tail[7] ?? '').replace(':100,', ':101,')), /line 8: record 17 is not what was/],
    [tail.toSpliced(7, 1), /line 8: record 17 is missing: after 16 comes 18/],
  ] as const) {
    const { code, stdout } = await performed(['journal', 'check', write(cli, changed)]);
    assert.equal(code, 1);
    assert.match(stdout, fault);
  }
});
