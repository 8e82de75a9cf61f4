/** The program of docs/recipes/allowance.md pays everybody once, however often it is run. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Realmkeep } from '@realmkeep/client';
import { serviceForFile } from '../support/service.ts';
import { forNewcomers, ROOT } from './pages.ts';

const MEMBERS = 500;
const service = await serviceForFile();
const { key } = await service.realm('acme');
const realm = new Realmkeep({ url: service.url, key }).realm('acme');
const ids = Array.from({ length: MEMBERS }, (_, at) => String(at + 1));
await realm.createMembers(ids.map((id) => ({ id })));
await realm.createOffer({
  id: 'allowance',
  name: 'Allowance',
  gives: { points: 100 },
  perMember: { times: 1, period: 'month' },
});

const folder = mkdtempSync(join(tmpdir(), 'realmkeep-allowance-'));
after(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
mkdirSync(join(folder, 'bot'));
for (const file of ['bot/realm.mjs', 'bot/allowance.mjs']) {
  const [program] = forNewcomers.flatMap(({ blocks }) =>
    blocks.filter(({ words }) => words[0] === file),
  );
  writeFileSync(join(folder, file), program?.text ?? '');
}

const start = (): ChildProcess =>
  spawn(process.execPath, ['bot/allowance.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      REALMKEEP_URL: service.url,
      REALMKEEP_KEY: key,
      REALMKEEP_REALM: 'acme',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Runs the program to its end, and returns how many it has paid. */
async function run(): Promise<number> {
  const child = start();
  const [stdout, [code]] = await Promise.all([child.stdout?.toArray(), once(child, 'close')]);
  assert.equal(code, 0);
  return Number(/^(\d+) members were paid\n$/.exec((stdout ?? []).join(''))?.[1]);
}

/** Kills the program when the journal has grown by so much; more may be under way. */
async function killAfter(records: number): Promise<void> {
  const { records: before } = await realm.summary();
  const child = start();
  const ended = once(child, 'close');
  for await (const { seq } of realm.stream({ after: before })) if (seq >= before + records) break;
  child.kill('SIGKILL');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', 'it has ended by itself');
}

const balances = async (): Promise<number[]> => {
  const found: number[] = [];
  for await (const { tokenBalance } of realm.members({ limit: 500 })) found.push(tokenBalance);
  return found;
};

test('killed twice, and run twice at once, it has paid each member once', async () => {
  for (const records of [1, 50]) await killAfter(records);
  const paid = await Promise.all([run(), run()]);
  assert.ok(paid[0] + paid[1] < MEMBERS, 'a run that was killed has paid some');
  assert.deepEqual(await balances(), Array(MEMBERS).fill(100));
});

test('when the service has forgotten its keys, nobody is paid twice', async () => {
  await service.database.exec('DELETE FROM idempotency_keys');
  await realm.createMembers([{ id: '20000' }]);
  assert.equal(await run(), 1);
  assert.deepEqual(await balances(), Array(MEMBERS + 1).fill(100));
});
