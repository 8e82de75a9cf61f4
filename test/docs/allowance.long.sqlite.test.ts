/** The program of docs/recipes/allowance.md pays everybody once, however often it is run. */
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

/** Starts the program and waits until the journal has grown by so much; more may be under way. */
async function startAndAwait(records: number, month = MONTH): Promise<ChildProcess> {
  const { records: before } = await realm.summary();
  const child = start(month);
  for await (const { seq } of realm.stream({ after: before })) {
    if (seq >= before + records) break;
  }
  return child;
}

async function killAfter(records: number): Promise<void> {
  const child = await startAndAwait(records);
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', 'it has ended by itself');
}

/** Each of these members has been paid, once. */
async function assertPaidOnce(expected = ids, month = MONTH): Promise<void> {
  const paid: string[] = [];
  const rows = realm.transactions({ type: 'points.added', limit: 500 });
  for await (const { memberId, tokens, description } of rows) {
    if (description !== `Allowance ${month}`) continue;
    assert.equal(tokens, 100);
    paid.push(memberId);
  }
  assert.deepEqual(new Set(paid), new Set(expected));
  assert.equal(paid.length, expected.length);
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

test('another run pays those who have come since', async () => {
  await realm.member('3000').remove({ forfeit: true });
  await realm.createMembers([{ id: '20000' }]);
  assert.deepEqual(await run(), { ...DONE, stdout: '10001 members have been paid\n' });
  await assertPaidOnce([...ids, '20000']);
});

test('several runs at once, of which each finds other members, pay each of them once', async () => {
  const [month, frozen] = ['2020-01', '9001'];
  const stopped = await startAndAwait(1, month);
  stopped.kill('SIGSTOP');
  const ended = once(stopped, 'close');
  // The last pages of the others are none of the run that is stopped.
  await realm.member(frozen).update({ status: 'frozen' });
  for (const { code, stderr } of await Promise.all([run(month), run(month)])) {
    assert.deepEqual([code, stderr], [0, '']);
  }
  await realm.member(frozen).update({ status: 'active' });
  stopped.kill('SIGCONT');
  assert.deepEqual(await ended, [0, null]);
  const expected = [...ids, '20000'].filter((id) => id !== '3000');
  await assertPaidOnce(expected, month);
});

test('a month that is none, or has not begun, is refused', async () => {
  for (const month of ['', '2026-13', '2026-1', '9999-01']) {
    const { code, stderr } = await run(month);
    assert.equal(code, 2);
    assert.match(stderr, /^Usage: /);
  }
});
