import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import {
  endings,
  inSession,
  isReachable,
  renewService,
  watchedFetch,
} from '../../console/api/service.ts';

/** Whether the service counts as reachable, and the session as ended, after such an answer. */
async function after(status: number, headers: Record<string, string>, url = '/api/v4/realms') {
  const before = endings.value;
  const answered = mock.method(globalThis, 'fetch', async () => {
    return new Response('', { status, headers });
  });
  await inSession(watchedFetch)(url, { method: 'POST' });
  answered.mock.restore();
  return [isReachable.value, endings.value > before];
}

const OWN = { 'x-request-id': 'r1' };

test('a proxy that answers for the service says that it is away', async () => {
  for (const status of [502, 503, 504]) {
    assert.deepEqual(await after(status, {}), [false, false], `${status} of a proxy`);
    assert.deepEqual(await after(status, OWN), [true, false], `${status} of the service`);
  }
});

test('only the service ends a session, and a refused key or code does not', async () => {
  assert.deepEqual(await after(401, {}), [true, false], 'of a proxy');
  assert.deepEqual(await after(401, OWN), [true, true]);
  assert.deepEqual(await after(401, OWN, '/api/v4/sessions'), [true, false], 'a sign-in');
});

test('a call of a session that is over has no answer, and ends no other session', async () => {
  let calls = 0;
  const answer = Promise.withResolvers<Response>();
  const send = inSession(() => {
    calls += 1;
    return answer.promise;
  });
  const before = endings.value;
  let answered = 0;
  const call = (): void => {
    const count = (): void => {
      answered += 1;
    };
    send('/api/v4/realms', { method: 'GET' }).then(count, count);
  };
  call();
  renewService();
  answer.resolve(new Response('', { status: 401, headers: OWN }));
  call();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([calls, answered, endings.value], [1, 0, before]);
});
