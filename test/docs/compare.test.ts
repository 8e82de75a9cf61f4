import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonDifferences, jsonValues, textDifferences } from './compare.ts';

const places = (shown: unknown, printed: unknown) =>
  jsonDifferences(shown, printed).map(({ at }) => at);

test('values that must differ are no difference, others are', () => {
  const shown = {
    at: '2026-11-15T02:07:25.702Z',
    actor: 'key:aSrvQl4WhF6p',
    head: 'e71cc3bb7878f8c796769a29034d649ba8fba551fe1fd5eb0f60951d036f440d',
    requestId: 'gSLHjsoq-8',
    key: 'rk_JNzDyV9aTnwf_…',
    detail: 'Member 1 has 30 points; …',
  };
  const printed = {
    at: '2027-01-01T00:00:00.000Z',
    actor: 'key:QE04WRUsVYAo',
    head: '1f2a5c8b74b5cc93f8d41e75c7591ca5b57c85d28785480ea395a26534303223',
    requestId: '6S6Zp4vz-1h',
    key: 'rk_RnvT6bUoWNt4_QNOnK1ugNB1Mgho1nG4Xv5PIijX5vfMX0gztB9',
    detail: 'Member 1 has 30 points; 100 were asked for.',
  };
  assert.deepEqual(places(shown, printed), []);
  assert.deepEqual(places(shown, { ...printed, actor: 'root' }), ['$.actor']);
  assert.deepEqual(places(shown, { ...printed, at: null }), ['$.at']);
  assert.deepEqual(places(shown, { ...printed, detail: 'No.' }), ['$.detail']);
});

test('cursors are compared by their list and filters', () => {
  const cursor = (...parts: unknown[]) => ({
    nextCursor: Buffer.from(JSON.stringify(parts)).toString('base64url'),
  });
  const shown = cursor('listMembers acme', '6', { status: 'active' });
  assert.deepEqual(places(shown, cursor('listMembers acme', '9', { status: 'active' })), []);
  const others = [
    cursor('getLeaderboard acme', '6', { status: 'active' }),
    cursor('listMembers other', '6', { status: 'active' }),
    cursor('listMembers acme', '6', {}),
    { nextCursor: 'opaque' },
    { nextCursor: null },
  ];
  for (const other of others) assert.deepEqual(places(shown, other), ['$.nextCursor']);
});

test('a field too many, too few or in another place is a difference', () => {
  assert.deepEqual(places({ a: 1 }, { a: 1, b: 2 }), ['$']);
  assert.deepEqual(places({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }), ['$.a']);
  assert.deepEqual(places([{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }]), ['$[1].a']);
  assert.deepEqual(places([1], [1, 2]), ['$']);
});

test('JSON values are found one after another', () => {
  assert.deepEqual(jsonValues('key\n{"a":"}\\""}{"b":[1]}\n[2]\n'), [{ a: '}"' }, { b: [1] }, [2]]);
  assert.deepEqual(jsonValues('none'), []);
});

test('lines of text must be printed in their order', () => {
  const printed = 'HTTP/1.1 200 OK\r\ndate: today\r\nidempotent-replayed: true\r\n';
  assert.deepEqual(textDifferences('HTTP/1.1 200 OK\nidempotent-replayed: true\n', printed), []);
  const [difference] = textDifferences('idempotent-replayed: true\nHTTP/1.1 200 OK\n', printed);
  assert.equal(difference?.at, 'HTTP/1.1 200 OK');
});
