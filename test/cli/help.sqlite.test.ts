import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/cli/main.ts';
import { settings } from '../../src/config/settings.ts';
import { Cli, performed } from './cli.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

test('--version prints the version of the package', async (t) => {
  const cli = new Cli(t);
  assert.deepEqual(await cli.start(['--version']).ended, {
    code: 0,
    signal: null,
    stdout: `${version}\n`,
    stderr: '',
  });
  assert.deepEqual(await cli.ask(['--version']), { version });
});

test('--help lists every command, and so does no command at all', async (t) => {
  const cli = new Cli(t);
  const { code, stdout, stderr } = await cli.start(['--help']).ended;
  assert.equal(code, 0);
  assert.equal(stderr, '');
  for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^  ${name}`, 'm'));
  assert.equal((await cli.run([])).stdout, stdout);
});

for (const args of [['--help'], ['serve', '--help']]) {
  test(`${args.join(' ')} lists every setting and its default`, async () => {
    const { stdout } = await performed(args);
    for (const [name, setting] of Object.entries(settings)) {
      const row = new RegExp(`^  ${name}( \\*)? +.*$`, 'm').exec(stdout)?.[0] ?? '';
      assert.ok(row.includes(setting.help), name);
      assert.equal('isSecret' in setting, row.startsWith(`  ${name} *`), name);
      if ('default' in setting) assert.ok(row.endsWith(`Default: ${setting.default}.`), name);
    }
    assert.ok(stdout.split('\n').every((line) => line.length <= 100));
  });
}

test('a first word with --help lists the commands that start with it', async () => {
  const { code, stdout } = await performed(['key', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /key rotate <realm> <keyId>/);
  assert.doesNotMatch(stdout, /realm create/);
  assert.doesNotMatch(stdout, /DATABASE_URL/, 'the settings are those of the whole program');
});

for (const [name, command] of Object.entries(commands)) {
  test(`${name} --help shows its options and an example`, async () => {
    const { code, stdout, stderr } = await performed([...name.split(' '), '--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.ok(stdout.startsWith(`npx realmkeep ${name}`));
    assert.ok(stdout.includes(command.example));
    for (const option of [...Object.keys(command.options), 'json', 'help']) {
      assert.match(stdout, new RegExp(`^  --${option}\\b`, 'm'));
    }
    assert.ok(stdout.split('\n').every((line) => line.length <= 100));
  });
}

const older = olderNode();

test('an older Node runs the bundled one', { skip: older.skip }, async (t) => {
  const cli = new Cli(t, {}, older.path);
  assert.deepEqual(await cli.run(['--version']), {
    code: 0,
    signal: null,
    stdout: `${version}\n`,
    stderr: '',
  });
  assert.equal((await cli.run(['nonsense'])).code, 2);
});

test('an older Node forwards signals', { skip: older.skip }, async (t) => {
  const program = new Cli(t, {}, older.path).start(['serve']);
  await program.says(/Realmkeep listens on http:/);
  program.child.kill('SIGTERM');
  const { code, signal, stderr } = await program.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.doesNotMatch(stderr, /Warning/);
});

test('Ctrl-C under an older Node arrives twice and counts once', {
  skip: older.skip,
}, async (t) => {
  const program = new Cli(t, {}, older.path).start(['serve']);
  await program.says(/Realmkeep listens on http:/);
  program.signalGroup('SIGINT');
  assert.equal((await program.ended).code, 0);
});

/** The first older Node on the path; npm puts the bundled one first. */
function olderNode(): { path: string; skip: string | false } {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, 'node');
    try {
      const found = execFileSync(path, ['--version'], { encoding: 'utf8' });
      const major = Number.parseInt(found.slice(1), 10);
      if (major >= 20 && major < 26) return { path, skip: false };
    } catch {
      // No Node in this folder.
    }
  }
  return { path: '', skip: 'no Node from 20 to 25 was found on the path' };
}
