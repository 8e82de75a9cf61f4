import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { assertFits } from '../support/answers.ts';
import { newBodies } from '../support/new-bodies.ts';
import { callerOf, pathOf, prepare, sendGood, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';

/** Every operation accepts its key, and its answer has exactly the declared shape. */
const service = await serviceForFile();
/** For what changes nothing, except that a service remembers the last checks only. */
const read = await prepare(service, 'read');
const isShared = (id: string, { method }: Operation): boolean =>
  method === 'GET' && id !== 'getVerification';

for (const [index, [id, operation]] of table.entries()) {
  // In turns: one place reads the header for all operations.
  const [form, scheme] =
    index % 2 === 0 ? ['bare', ''] : ['after "Bearer" in any case', 'bEaReR  '];
  test(`${id}: the key is accepted ${form}, and the answer matches its schema`, async () => {
    const own = isShared(id, operation) ? read : await prepare(service, `good-${id}`);
    const key = operation.scope === 'root' ? ROOT_KEY : own.realm.key;
    const headers = { authorization: `${scheme}${key} ` };
    const caller = operation.ofPeople ? callerOf(operation, own) : { key: null, headers };
    const body = await newBodies[id]?.(own.realm);
    const sent = body === undefined ? caller : { ...caller, body };
    assertFits(id, operation, await sendGood(id, own, sent));
  });
}

test('HEAD answers like GET, without a body', async () => {
  const prepared = await prepare(service, 'heads');
  for (const [id, operation] of table) {
    if (operation.method !== 'GET' || operation.body) continue;
    const path = pathOf(operation, prepared);
    const caller = callerOf(operation, prepared);
    const head = await service.send('HEAD', path, caller);
    const get = await service.send('GET', path, caller);
    assert.equal(head.status, 200, id);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal((await service.send('HEAD', path, { key: null })).status, 401);
  }
});
