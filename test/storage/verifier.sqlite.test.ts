import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Verdict } from '../../src/domain/rules/audit.ts';
import { GENESIS } from '../../src/domain/rules/journal.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import type { Operation } from '../../src/store/statement.ts';
import { type InSnapshot, Verifier } from '../../src/store/verifier.ts';

/** The queue of checks. Here a check of a realm ends when the test says so. */
const EMPTY_REALM = { seq: 0, head: GENESIS, clockAt: 0 };

/** What an operation asks for. */
function paramsOf(operation: Operation<unknown>): Record<string, unknown> {
  const { value } = operation.next() as { value: readonly { params: object }[] };
  return { ...value[0]?.params };
}

function controlled() {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const started: string[] = [];
  const inSnapshot: InSnapshot = (check) => {
    let isFirst = true;
    return check(async (operation) => {
      const realmId = String(paramsOf(operation).realmId);
      if (!isFirst) return [] as never;
      isFirst = false;
      started.push(realmId);
      await ends.getOrInsertComputed(realmId, () => Promise.withResolvers()).promise;
      ends.delete(realmId);
      return EMPTY_REALM as never;
    });
  };
  const end = (realmId: string) =>
    ends.getOrInsertComputed(realmId, () => Promise.withResolvers<void>()).resolve();
  return { verifier: new Verifier(inSnapshot), started, end };
}

const start = (verifier: Verifier, realmId: string, createdAt = 1) =>
  Promise.resolve(verifier.reader.startVerification({ realmId, createdAt }));
const find = (verifier: Verifier, realmId: string, id: string, createdAt = 1) =>
  Promise.resolve(verifier.reader.verification({ realmId, createdAt, id }));

async function finished(verifier: Verifier, realmId: string, id: string) {
  for (;;) {
    const check = await find(verifier, realmId, id);
    if (check?.status !== 'queued' && check?.status !== 'running') return check;
    await turn();
  }
}

async function verify(verifier: Verifier, realmId: string): Promise<Verdict> {
  const { id } = await start(verifier, realmId);
  const check = await finished(verifier, realmId, id);
  assert.ok(check?.result);
  return check.result;
}

test('checks run one after another, and a realm waits at most once', async () => {
  const { verifier, started, end } = controlled();
  const names = ['a', 'b', 'c'];
  const verdicts = names.map((name) => verify(verifier, name));
  const again = names.map((name) => verify(verifier, name));
  await turn();
  assert.deepEqual(started, ['a']);
  for (const name of names) {
    end(name);
    await turn();
    await turn();
  }
  assert.deepEqual(started, names);
  const all = await Promise.all([...verdicts, ...again]);
  assert.ok(all.every(({ ok }) => ok));
});

test('a check is followed from the queue to its result', async () => {
  const { verifier, end } = controlled();
  void verify(verifier, 'busy');
  const { id, status } = await start(verifier, 'a');
  assert.equal(status, 'queued');
  assert.equal((await start(verifier, 'a')).id, id, 'the same check is shared');
  end('busy');
  await turn();
  await turn();
  assert.equal((await find(verifier, 'a', id))?.status, 'running');
  end('a');
  const done = await finished(verifier, 'a', id);
  assert.deepEqual([done?.status, done?.result?.ok], ['done', true]);
  assert.equal(await find(verifier, 'b', id), null, 'another realm does not see it');
});

test('only the last three finished checks of a realm are remembered', async () => {
  const { verifier, end } = controlled();
  const ids: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { id } = await start(verifier, 'a');
    ids.push(id);
    end('a');
    await finished(verifier, 'a', id);
  }
  const found = await Promise.all(ids.map((id) => find(verifier, 'a', id)));
  assert.deepEqual(
    found.map((one) => one !== null),
    [false, false, true, true, true],
  );
});

test('a later realm of the same id neither shares nor sees a check', async () => {
  const { verifier, started, end } = controlled();
  const old = await start(verifier, 'a', 1);
  const later = await start(verifier, 'a', 2);
  assert.notEqual(later.id, old.id, 'one that is running');
  for (const _ of [old, later]) {
    assert.equal(await find(verifier, 'a', old.id, 2), null);
    end('a');
    await finished(verifier, 'a', old.id);
  }
  assert.deepEqual(started, ['a', 'a']);
  assert.equal((await find(verifier, 'a', old.id, 1))?.status, 'done');
});

test('too many waiting realms are refused, and a stop fails those that wait', async () => {
  const { verifier, end } = controlled();
  const waiting = Array.from({ length: 1_000 }, (_, index) => verify(verifier, `realm-${index}`));
  await assert.rejects(async () => verify(verifier, 'one-more'), Unavailable);
  const stopped = verifier.stop();
  end('realm-0');
  await stopped;
  const settled = await Promise.allSettled(waiting);
  assert.ok(settled.slice(1).every(({ status }) => status === 'rejected'));
  await assert.rejects(async () => verify(verifier, 'late'), Unavailable);
});
