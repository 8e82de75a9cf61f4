import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { ProblemError } from '../../src/contract/problems.ts';
import { MAX_FAULTS, type RequestFault } from '../../src/contract/request-fault.ts';
import { requestCheck } from '../../src/contract/validation.ts';
import { zeroFaults } from '../../src/http/body-faults.ts';

const { changeManyPoints, checkWallets } = operations;
const parts = { params: { realmID: 'acme' }, query: {}, headers: {}, body: {} };

function faultsOf(operation: Operation, sent: object): RequestFault[] {
  try {
    requestCheck(operation, undefined, zeroFaults).check({ ...parts, ...sent });
    return [];
  } catch (error) {
    assert(error instanceof ProblemError);
    return error.extra.errors as RequestFault[];
  }
}

const placesOf = (operation: Operation, sent: object) =>
  faultsOf(operation, sent).map(({ pointer }) => pointer);

/** The list, and how many of its entries were looked at. */
function counted<T>(entries: T[]): { entries: T[]; seen: Set<string> } {
  const seen = new Set<string>();
  const get = (target: T[], key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) seen.add(key);
    return Reflect.get(target, key);
  };
  return { entries: new Proxy(entries, { get }), seen };
}

test('the check of a list stops at the bound of faults', () => {
  const wrong = { memberId: 'x', tokens: 0, description: 5, realmPointId: '-' };
  const { entries, seen } = counted(Array(10_000).fill(wrong));
  const places = placesOf(changeManyPoints, { body: { entries } });
  assert.equal(places.length, MAX_FAULTS);
  assert.deepEqual(places.slice(0, 4), [
    '/entries/0/memberId',
    '/entries/0/description',
    '/entries/0/realmPointId',
    '/entries/0/tokens',
  ]);
  assert.equal(seen.size, MAX_FAULTS / 4);

  const wallets = counted(Array(10_000).fill(''));
  assert.equal(placesOf(checkWallets, { body: { wallets: wallets.entries } }).length, MAX_FAULTS);
  assert.equal(wallets.seen.size, MAX_FAULTS);
});

test('faults before the bound are found wherever they are', () => {
  const good = { memberId: 1, tokens: 1 };
  const { entries, seen } = counted(Array(10_000).fill(good));
  assert.deepEqual(placesOf(changeManyPoints, { body: { entries } }), []);
  assert.equal(seen.size, 10_000);
  entries[9_999] = { memberId: 1, tokens: 0 };
  assert.deepEqual(placesOf(changeManyPoints, { body: { entries } }), ['/entries/9999/tokens']);
});

test('the faults of entries come last, each with its sentence', () => {
  const entries = [5, { tokens: 1.5 }, { memberId: 1, tokens: 1, x: 1 }, null, { memberId: 1 }];
  const body = { entries, atomic: 1, description: 5 };
  const headers = { 'idempotency-key': '' };
  const found = faultsOf(changeManyPoints, { params: { realmID: '' }, headers, body });
  const entryFault = 'must be an object with "memberId" and "tokens"';
  assert.deepEqual(
    found.map(({ pointer, detail }) => [pointer, detail.slice(0, entryFault.length)]),
    [
      ['/path/realmID', 'must be 1 to 64 letters, digits, "_" or "-", sta'],
      ['/header/idempotency-key', 'must be a single header of 1 to 255 visible ASCI'],
      ['/description', 'must be text of at most 500 characters'],
      ['/atomic', 'must be true or false'],
      ['/entries/0', entryFault],
      ['/entries/1/memberId', 'is required'],
      ['/entries/1/tokens', 'must be a JSON integer other than 0, from -90071'],
      ['/entries/3', entryFault],
      ['/entries/4/tokens', 'is required'],
    ].map(([pointer, detail]) => [pointer, detail?.slice(0, entryFault.length)]),
  );
});

test('a list that is missing, empty, too long or none has one fault', () => {
  const bodies = [{}, { entries: [] }, { entries: Array(10_001).fill(5) }, { entries: { a: 1 } }];
  for (const body of bodies) {
    assert.deepEqual(placesOf(changeManyPoints, { body }), ['/entries']);
  }
  for (const body of [[], 'text', 5, null]) {
    assert.deepEqual(placesOf(changeManyPoints, { body }), ['']);
  }
});
