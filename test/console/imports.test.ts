import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { effect } from '@preact/signals';
import {
  continueImport,
  forgetImports,
  type ImportRun,
  imports,
  isUnderWay,
  startImport,
} from '../../console/state/imports.ts';
import { forgetToasts } from '../../console/state/toasts.ts';
import { readCsv } from '../../console/text/csv.ts';
import { readRows } from '../../console/text/import.ts';
import { answering, problem, stopAnswering } from './answering.ts';

/** What is observed is not to be observed by the next test. */
const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
  stopAnswering();
  forgetImports();
  forgetToasts();
});

/** The import of a list of ids and names, when it has stopped or is done. */
async function imported(lines: string[]): Promise<ImportRun> {
  const [, ...records] = readCsv(['id,name', ...lines].join('\n'));
  const rows = readRows(records, ['id', 'displayName']);
  const file = { name: 'people.csv', headers: ['id', 'name'], rows };
  startImport('acme', { ...file, kinds: [], opensPresent: false });
  return ended();
}

const ended = (): Promise<ImportRun> =>
  new Promise((resolve) => {
    const stop = effect(() => {
      const run = imports.value.acme;
      if (run && !isUnderWay(run)) resolve(run);
    });
    ends.push(stop);
  });

test('rows with ids ask anew in each import, the others once for all', async () => {
  const lines = ['1,a', ',b', '2,c'];
  const first = answering([{}, {}]);
  assert.equal((await imported(lines)).enrolled, 3);
  forgetImports();
  const again = answering([{}, { isReplay: true }]);
  const { enrolled, before } = await imported(lines);
  assert.deepEqual([enrolled, before], [2, 1]);
  const names = [['a', 'c'], ['b']];
  assert.deepEqual(
    [first, again].map((calls) => calls.map((call) => call.names)),
    [names, names],
  );
  assert.notEqual(first[0]?.key, again[0]?.key);
  assert.equal(first[1]?.key, again[1]?.key);
});

test('a call that is refused leaves nothing in doubt', async () => {
  answering([problem(403, 'insufficient-scope')]);
  const { phase, inDoubt, answered } = await imported(['1,a', '2,b']);
  assert.deepEqual([phase, inDoubt, answered], ['stopped', 0, 0]);
});

test('rows whose answer is lost are in doubt until it comes', async () => {
  const calls = answering([null, null, null, { isReplay: true }]);
  assert.equal((await imported([',a', ',b'])).inDoubt, 2);
  continueImport('acme');
  const { phase, inDoubt, enrolled, before } = await ended();
  assert.deepEqual([phase, inDoubt, enrolled, before], ['done', 0, 2, 0]);
  assert.equal(new Set(calls.map(({ key }) => key)).size, 1);
});
