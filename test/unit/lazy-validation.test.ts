import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { ajv, compileAhead } from '../../src/contract/schema-compiler.ts';
import { requestCheck } from '../../src/contract/validation.ts';

test('what is compiled ahead, a schema per turn, is not compiled by the first call', async (t) => {
  const compile = t.mock.method(ajv, 'compile');
  const check = requestCheck(operations.createMember);
  const call = () =>
    check({ params: { realmID: 'acme' }, query: {}, headers: {}, body: { username: 'alice' } });
  assert.equal(compile.mock.callCount(), 0);
  requestCheck(operations.getMember);
  compileAhead();
  assert.equal(compile.mock.callCount(), 1);
  await new Promise((next) => setImmediate(next));
  assert.equal(compile.mock.callCount(), 2);
  call();
  assert.equal(compile.mock.callCount(), 2);
});

test('what is needed before is compiled at once', (t) => {
  const compile = t.mock.method(ajv, 'compile');
  requestCheck(operations.getMember)({
    params: { realmID: 'acme', memberID: '1' },
    query: {},
    headers: {},
    body: undefined,
  });
  assert.ok(compile.mock.callCount() > 0);
});
