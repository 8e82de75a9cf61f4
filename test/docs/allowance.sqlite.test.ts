/** The program of docs/recipes/allowance.md pays everybody once, wherever it is killed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Realmkeep } from '@realmkeep/client';
import { serviceForFile } from '../support/service.ts';
import { pages, ROOT } from './pages.ts';

const MEMBERS = 10_000;
const MONTH = new Date().toISOString().slice(0, 7);
const FILE = `allowance-${MONTH}.json`;
const service = await serviceForFile();
const { key } = await service.realm('acme');
const realm = new Realmkeep({ url: service.url, key }).realm('acme');
const ids = Array.from({ length: MEMBERS }, (_, at) => String(at + 1));
await realm.createMembers(ids.map((id) => ({ id })));

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-allowance-'));
after(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
for (const path of ['docs/recipes/README.md', 'docs/recipes/allowance.md']) {
  const blocks = pages.find((page) => page.path === path)?.blocks ?? [];
  for (const { language, words, text } of blocks) {
    if (language === 'ts') writeFileSync(join(folder, words[0] ?? ''), text);
  }
}

function start(month = MONTH): ChildProcess {
  return spawn(process.execPath, ['allowance.ts', month], {
    cwd: folder,
    env: { ...process.env, REALMKEEP_URL: service.url, REALMKEEP_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs the program to its end. */
async function run(month = MONTH): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = start(month);
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout?.toArray(),
    child.stderr?.toArray(),
    once(child, 'close'),
  ]);
  return { code, stdout: (stdout ?? []).join(''), stderr: (stderr ?? []).join('') };
}

/** Kills the program when the journal has grown by so much, and a page more may be under way. */
async function killAfter(records: number): Promise<void> {
  const { records: before } = await realm.summary();
  const child = start();
  const ended = once(child, 'close');
  for await (const { seq } of realm.stream({ after: before })) {
    if (seq >= before + records) break;
  }
  child.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', 'it has ended by itself');
}

/** Every member of the list has been paid, once. */
async function assertPaidOnce(): Promise<void> {
  const paid: string[] = [];
  for await (const { memberId, tokens } of realm.transactions({ limit: 500 })) {
    assert.equal(tokens, 100);
    paid.push(memberId);
  }
  assert.deepEqual(new Set(paid), new Set(ids));
  assert.equal(paid.length, MEMBERS);
}

const DONE = { code: 0, stdout: '10000 members have been paid\n', stderr: '' };

test('killed four times, it has paid each member once', async () => {
  for (const records of [1, 1, 1_001, 1]) await killAfter(records);
  assert.deepEqual(await run(), DONE);
  await assertPaidOnce();
});

test('when the service has forgotten its keys, nobody is paid twice', async () => {
  await service.database.exec('DELETE FROM idempotency_keys');
  assert.deepEqual(await run(), DONE);
  await assertPaidOnce();
});

test('if its list is lost, those are paid who have not been', async () => {
  rmSync(join(folder, FILE));
  await realm.member('3000').remove({ forfeit: true });
  await realm.createMembers([{ id: '20000' }]);
  assert.deepEqual(await run(), { ...DONE, stdout: '10001 members have been paid\n' });
  const { tokenBalance } = await realm.member('20000').get();
  assert.equal(tokenBalance, 100);
  assert.equal((await realm.member('3001').get()).tokenBalance, 100);
});

test('a month that is none, or has not begun, is refused', async () => {
  for (const month of ['', '2026-13', '2026-1', '9999-01']) {
    const { code, stderr } = await run(month);
    assert.equal(code, 2);
    assert.match(stderr, /^Usage: /);
  }
});
