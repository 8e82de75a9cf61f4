import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { ajv, compileSchemas } from '../../src/contract/schema-compiler.ts';
import { requestCheck } from '../../src/contract/validation.ts';

test('what is compiled ahead, a schema per step, is not compiled by the first call', (t) => {
  const compile = t.mock.method(ajv, 'compile');
  const { check } = requestCheck(operations.createMember);
  const call = () =>
    check({ params: { realmID: 'acme' }, query: {}, headers: {}, body: { username: 'alice' } });
  assert.equal(compile.mock.callCount(), 0);
  let steps = 0;
  for (const _ of compileSchemas()) {
    steps += 1;
    assert.equal(compile.mock.callCount(), steps);
  }
  assert.ok(steps >= 3);
  call();
  assert.equal(compile.mock.callCount(), steps);
});

test('what is needed before is compiled at once', (t) => {
  const compile = t.mock.method(ajv, 'compile');
  requestCheck(operations.getMember).check({
    params: { realmID: 'acme', memberID: '1' },
    query: {},
    headers: {},
    body: undefined,
  });
  assert.ok(compile.mock.callCount() > 0);
});
