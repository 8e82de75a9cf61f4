import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { MAX_FAULTS, ProblemError, type RequestFault } from '../../src/contract/problems.ts';
import { requestCheck } from '../../src/contract/validation.ts';
import { entryFaults } from '../../src/http/body-faults.ts';

const { changeManyPoints, checkWallets, createMember, createMembers } = operations;
const parts = { params: { realmID: 'acme' }, query: {}, headers: {}, body: {} };

function faultsOf(operation: Operation, sent: object): RequestFault[] {
  try {
    requestCheck(operation, entryFaults)({ ...parts, ...sent });
    return [];
  } catch (error) {
    assert(error instanceof ProblemError);
    return error.extra.errors as RequestFault[];
  }
}

const placesOf = (operation: Operation, sent: object) =>
  faultsOf(operation, sent).map(({ pointer }) => pointer);

test('of many faults, the first are reported', () => {
  const wrong = { memberId: 'x', tokens: 0, description: 5, realmPointId: '-' };
  const places = placesOf(changeManyPoints, { body: { entries: Array(1_000).fill(wrong) } });
  assert.equal(places.length, MAX_FAULTS);
  assert.deepEqual(places.slice(0, 3), [
    '/entries/0/memberId',
    '/entries/0/description',
    '/entries/0/realmPointId',
  ]);
  const wallets = Array(10_000).fill('');
  assert.equal(placesOf(checkWallets, { body: { wallets } }).length, MAX_FAULTS);
});

test('faults are found wherever they are', () => {
  const entries = Array(1_000).fill({ memberId: 1, tokens: 1 });
  assert.deepEqual(placesOf(changeManyPoints, { body: { entries } }), []);
  entries[999] = { memberId: 1, tokens: 0 };
  assert.deepEqual(placesOf(changeManyPoints, { body: { entries } }), ['/entries/999/tokens']);
  assert.deepEqual(placesOf(changeManyPoints, { body: { entries, skipZero: true } }), []);
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
  const bodies = [{}, { entries: [] }, { entries: Array(1_001).fill(5) }, { entries: { a: 1 } }];
  for (const body of bodies) {
    assert.deepEqual(placesOf(changeManyPoints, { body }), ['/entries']);
  }
  const [tooLong] = faultsOf(changeManyPoints, { body: bodies[2] });
  assert.match(tooLong?.detail ?? '', /1 to 1000 entries; split a longer one over several calls/);
  for (const body of [[], 'text', 5, null]) {
    assert.deepEqual(placesOf(changeManyPoints, { body }), ['']);
  }
});

test('nothing else is reported of an inner list or map that is too long', () => {
  const wallets = Array(51).fill(5);
  assert.deepEqual(placesOf(createMember, { body: { wallets } }), ['/wallets']);
  const balances = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`K${n}`, 'x']));
  const body = { members: [{ wallets }, { balances }] };
  assert.deepEqual(placesOf(createMembers, { body }), [
    '/members/0/wallets',
    '/members/1/balances',
  ]);
});
