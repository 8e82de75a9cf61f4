import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { effect } from '@preact/signals';
import {
  forgetImports,
  type ImportRun,
  imports,
  isUnderWay,
  startImport,
  takeBackImport,
} from '../../console/state/imports.ts';
import { forgetToasts } from '../../console/state/toasts.ts';
import { readCsv } from '../../console/text/csv.ts';
import { readRows } from '../../console/text/import.ts';
import { add, verdict } from '../support/points.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { stopAnswering } from './answering.ts';

/** Imports of the console, with the service that it calls. */
const service = await serviceForFile();

afterEach(() => {
  stopAnswering();
  forgetImports();
  forgetToasts();
});

/** Calls of the page go to the service, signed by a key where a browser has a cookie. */
function calling(): void {
  stopAnswering();
  const { fetch } = globalThis;
  globalThis.fetch = (path, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${ROOT_KEY}`);
    headers.delete('x-realmkeep-console');
    return fetch(`${service.url}${path}`, { ...init, headers });
  };
}

const BOUNDS = { minimumBalance: 0, maximumBalance: Number.MAX_SAFE_INTEGER };
const HEADERS = ['id', 'displayName', 'balances.points', 'balances.xp', 'status'];

async function imported(realm: string, lines: string[], opensPresent = false): Promise<ImportRun> {
  calling();
  const xp = { id: 'xp', name: 'XP' };
  const kinds = ['points', 'xp'].map((id) => ({
    id,
    name: id,
    isDefault: id === 'points',
    ...BOUNDS,
  }));
  const [, ...records] = readCsv([HEADERS.join(), ...lines].join('\n'));
  const rows = readRows(records, HEADERS, kinds);
  startImport(realm, { name: 'a.csv', headers: HEADERS, rows, kinds: [xp], opensPresent });
  return ended(realm);
}

const ended = (realm: string): Promise<ImportRun> =>
  new Promise((resolve) => {
    effect(() => {
      const run = imports.value[realm];
      if (run && !isUnderWay(run)) resolve(run);
    });
  });

async function shown(realm: TestRealm, id: string) {
  const { status, json } = await realm.send('GET', `/members/${id}`);
  return status === 200 ? [json.status, json.balances.points, json.balances.xp] : status;
}

test('an import creates kinds of points, and is undone as a whole', async () => {
  const realm = await service.realm('undone');
  await realm.member('9');
  const lines = ['1,Ann,50,3,Frozen', '2,Ben,,,', ',Cid,7,,', '9,Dan,90,,'];
  const run = await imported('undone', lines, true);
  assert.deepEqual([run.phase, run.enrolled, run.made.length, run.refused.size], ['done', 3, 4, 0]);
  assert.deepEqual(await shown(realm, '1'), ['frozen', 50, 3]);
  assert.deepEqual(await shown(realm, '9'), ['active', 90, 0]);
  const third = run.made.find(({ memberId }) => !['1', '2', '9'].includes(memberId));
  assert.deepEqual(await shown(realm, third?.memberId ?? ''), ['active', 7, 0]);
  await takeBackImport('undone');
  assert.deepEqual([imports.value.undone?.phase, imports.value.undone?.error], ['undone', null]);
  for (const id of ['1', '2', third?.memberId ?? '']) assert.equal(await shown(realm, id), 404);
  assert.deepEqual(await shown(realm, '9'), ['active', 0, 0]);
  forgetImports();
  const again = await imported('undone', lines);
  assert.deepEqual([again.enrolled, again.before], [3, 0], 'also the row without an id');
  assert.match([...again.refused.values()].join(), /^Member 9 .*already/);
  assert.equal((await verdict(realm)).ok, true);
});

test('nothing is undone once something of it was spent', async () => {
  const realm = await service.realm('spent');
  await imported('spent', ['1,Ann,50,3,', '2,Ben,5,,']);
  await add(realm, '2', -1);
  await takeBackImport('spent');
  const { phase, error } = imports.value.spent ?? {};
  assert.equal(phase, 'done');
  assert.match(
    error?.message ?? '',
    /Nothing was undone: since the import, the points of 1 member/,
  );
  assert.deepEqual(await shown(realm, '1'), ['active', 50, 3]);
});
