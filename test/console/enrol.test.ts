import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { enrol } from '../../console/api/enrol.ts';
import { answering, problem, stopAnswering } from './answering.ts';

afterEach(stopAnswering);

const MEMBERS = ['a', 'b', 'c'].map((displayName) => ({ displayName }));

test('the same members have the same key, and others, or another series, another', async () => {
  const calls = answering([{}, {}, {}, {}]);
  await enrol('acme', MEMBERS, 'a');
  await enrol('acme', structuredClone(MEMBERS), 'a');
  await enrol('acme', MEMBERS, 'b');
  await enrol('acme', MEMBERS.toReversed(), 'a');
  const [first, again, ...others] = calls.map(({ key }) => key);
  assert.equal(first, again);
  assert.equal(new Set([first, ...others]).size, 3);
});

test('an invalid member is refused, and the others are sent without it', async () => {
  const errors = [
    { pointer: '/members/1/wallets/0', detail: 'must be a wallet address' },
    { pointer: '/members/1/username', detail: 'must be text' },
  ];
  const refusal = { memberId: null, problem: { detail: 'It exists.' } };
  const calls = answering([
    problem(400, 'invalid-request', { errors }),
    { body: { results: [{ memberId: '1' }, refusal] } },
  ]);
  const { refused } = await enrol('acme', MEMBERS, 'a');
  assert.deepEqual([...refused].sort(), [
    [1, 'wallets.0 must be a wallet address; username must be text.'],
    [2, 'It exists.'],
  ]);
  assert.deepEqual(calls[1]?.names, ['a', 'c']);
  assert.notEqual(calls[0]?.key, calls[1]?.key);
});

test('a replay is one of an earlier import, unless an answer was lost just before', async () => {
  answering([{ isReplay: true }]);
  assert.equal((await enrol('acme', MEMBERS, 'a')).madeBefore.length, 3);
  answering([{}]);
  assert.equal((await enrol('acme', MEMBERS, 'a')).madeBefore.length, 0);
  const calls = answering([null, { isReplay: true }]);
  assert.equal((await enrol('acme', MEMBERS, 'a')).madeBefore.length, 0);
  assert.equal(calls[0]?.key, calls[1]?.key);
});

test('what an earlier import was refused is sent again until the answer is of now', async () => {
  const taken = { memberId: null, problem: { detail: 'The wallet is taken.' } };
  const enrolled = { memberId: '1' };
  const calls = answering([
    { body: { results: [taken, enrolled, taken] }, isReplay: true },
    { body: { results: [taken, taken] }, isReplay: true },
    { body: { results: [enrolled, { memberId: null, problem: { detail: 'Now.' } }] } },
  ]);
  const { refused, made, madeBefore } = await enrol('acme', MEMBERS, 'a');
  assert.deepEqual([...refused], [[2, 'Now.']]);
  assert.deepEqual([made.length, madeBefore.length], [1, 1]);
  assert.deepEqual(
    calls.map(({ names }) => names.join('')),
    ['abc', 'ac', 'ac'],
  );
  assert.equal(new Set(calls.map(({ key }) => key)).size, 3);
});

test('an answer that was erased with a member stops nobody for good', async () => {
  answering([problem(422, 'answer-erased')]);
  const { refused } = await enrol('acme', MEMBERS, 'a');
  assert.deepEqual([...refused.keys()], [0, 1, 2]);
});

test('any other refusal of the call is thrown', async () => {
  answering([problem(403, 'insufficient-scope')]);
  await assert.rejects(enrol('acme', MEMBERS, 'a'), { code: 'insufficient-scope' });
});
