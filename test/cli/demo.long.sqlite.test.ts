import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Program } from '../support/program.ts';
import { Cli, takenPort } from './cli.ts';

const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const demoFolders = (cli: Cli): string[] =>
  readdirSync(cli.folder).filter((name) => name.startsWith('realmkeep-demo-'));

/** Starts a small demo and waits for its last line. */
async function startDemo(cli: Cli, ...options: string[]): Promise<Program> {
  const demo = cli.start(['demo', '--members', '50', ...options]);
  await demo.says(/Press Ctrl-C to stop.*\n/);
  return demo;
}

test('the printed curl lines work when pasted', { skip: !hasCurl && 'no curl' }, async (t) => {
  const demo = await startDemo(new Cli(t));
  const lines = demo.stdout.split('\n').filter((line) => line.startsWith('curl '));
  assert.equal(lines.length, 5);
  const answers: Record<string, unknown>[] = [];
  for (const line of lines) {
    const pasted = ['-c', `${line} -w '\\n%{http_code}'`];
    const { stdout } = await promisify(execFile)('bash', pasted);
    const [body = '', status] = stdout.split('\n');
    assert.equal(status, '200', `${line} gave ${stdout}`);
    answers.push(JSON.parse(body));
  }
  const [member, web3, check, added, transferred] = answers;
  assert.equal(web3?.memberId, member?.id);
  assert.equal(check?.any, true);
  assert.equal(check?.all, false);
  assert.equal(added?.newBalance, Number(member?.tokenBalance) + 100);
  assert.equal(transferred?.message, 'Ok');
});

test('a signal ends the demo while it is being written', async (t) => {
  const cli = new Cli(t);
  const demo = cli.start(['demo', '--members', '10000']);
  await new Promise((begun) => demo.child.stderr.once('data', begun));
  demo.child.kill('SIGTERM');
  const { code, stdout } = await demo.ended;
  assert.equal(code, 0);
  assert.equal(stdout, '');
  assert.deepEqual(demoFolders(cli), []);
});

test('--json prints one object, and --keep does not remove the folder', async (t) => {
  const cli = new Cli(t);
  const demo = cli.start(['demo', '--members', '20', '--keep', '--json']);
  const { url, consoleLink, key, calls, folder, ...rest } = await demo.firstObject();
  assert.deepEqual(rest, { realm: 'demo', members: 20, movements: 400 });
  assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+$/);
  const page = String(url).replace('127.0.0.1', 'localhost');
  assert.ok(String(consoleLink).startsWith(`${page}/realms/demo#code=rk_`));
  assert.match(String(key), /^rk_/);
  assert.equal((calls as unknown[]).length, 5);
  demo.child.kill('SIGTERM');
  assert.equal((await demo.ended).code, 0);
  assert.ok(String(folder).endsWith(demoFolders(cli)[0] ?? 'none'));
});

test('the demo picks a free port if its own is in use, and leaves nothing behind', async (t) => {
  const port = await takenPort(t);
  const cli = new Cli(t, { PORT: port });
  const demo = await startDemo(cli);
  assert.match(demo.stderr, new RegExp(`Port ${port} is in use; the demo picks a free one`));
  assert.match(demo.stdout, /Realmkeep listens on http:/);
  assert.equal(demoFolders(cli).length, 1);
  demo.child.kill('SIGINT');
  assert.equal((await demo.ended).code, 0);
  assert.deepEqual(demoFolders(cli), []);
});
