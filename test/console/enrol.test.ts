import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { enrol } from '../../console/api/enrol.ts';

/** What the service answers to the calls of an import, one after another. */
interface Answer {
  status?: number;
  body?: object;
  isReplay?: boolean;
}

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Answers calls as told; returns their names and keys. */
function answering(answers: (Answer | null)[]): { names: string[]; key: string }[] {
  const calls: { names: string[]; key: string }[] = [];
  globalThis.fetch = async (_url, init) => {
    const { members } = JSON.parse(String(init?.body));
    const names = members.map(({ displayName }: { displayName: string }) => displayName);
    calls.push({ names, key: new Headers(init?.headers).get('idempotency-key') ?? '' });
    const answer = answers[calls.length - 1];
    if (!answer) throw new TypeError('the connection is lost');
    const { status = 200, body = { results: names.map(() => ({ memberId: '1' })) } } = answer;
    const headers = { 'content-type': 'application/json' };
    const replay = answer.isReplay ? { 'idempotent-replayed': 'true' } : {};
    return new Response(JSON.stringify(body), { status, headers: { ...headers, ...replay } });
  };
  return calls;
}

const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { status, code, message: code, ...more },
});

const MEMBERS = ['a', 'b', 'c'].map((displayName) => ({ displayName }));

test('the same members have the same key, and others, or the same again, another', async () => {
  const calls = answering([{}, {}, {}, {}]);
  await enrol('acme', MEMBERS, 0);
  await enrol('acme', structuredClone(MEMBERS), 0);
  await enrol('acme', MEMBERS, 1);
  await enrol('acme', MEMBERS.toReversed(), 0);
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
  const { refused } = await enrol('acme', MEMBERS, 0);
  assert.deepEqual([...refused].sort(), [
    [1, 'wallets.0 must be a wallet address; username must be text.'],
    [2, 'It exists.'],
  ]);
  assert.deepEqual(calls[1]?.names, ['a', 'c']);
  assert.notEqual(calls[0]?.key, calls[1]?.key);
});

test('a replay is one of an earlier import, unless an answer was lost just before', async () => {
  answering([{ isReplay: true }]);
  assert.equal((await enrol('acme', MEMBERS, 0)).wasDone, true);
  answering([{}]);
  assert.equal((await enrol('acme', MEMBERS, 0)).wasDone, false);
  const calls = answering([null, { isReplay: true }]);
  assert.equal((await enrol('acme', MEMBERS, 0)).wasDone, false);
  assert.equal(calls[0]?.key, calls[1]?.key);
});

test('an answer that was erased with a member stops nobody for good', async () => {
  answering([problem(422, 'answer-erased')]);
  const { refused } = await enrol('acme', MEMBERS, 0);
  assert.deepEqual([...refused.keys()], [0, 1, 2]);
});

test('any other refusal of the call is thrown', async () => {
  answering([problem(403, 'insufficient-scope')]);
  await assert.rejects(enrol('acme', MEMBERS, 0), { code: 'insufficient-scope' });
});
