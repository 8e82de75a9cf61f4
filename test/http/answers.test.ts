import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation } from '../../src/contract/operation.ts';
import { pathOf, prepare, sendGood, table } from '../support/requests.ts';
import { type Reply, serviceForFile } from '../support/service.ts';

/** The answers of every operation have exactly the declared shape. */
const service = await serviceForFile();

const ajv = new Ajv({ allErrors: true, strict: false });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The schema with `additionalProperties: false` everywhere. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(part)]);
  const copy = Object.fromEntries(parts);
  if (copy.type !== 'object' || !copy.properties) return copy;
  return { additionalProperties: false, ...copy };
}

const validators = new Map<string, ValidateFunction>();

function assertFits(id: string, { answer }: Operation, reply: Reply): void {
  assert.equal(reply.status, answer.status, reply.text);
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.ok(reply.headers['x-request-id']);
  if (answer.schema === null) {
    assert.equal(reply.text, '');
    return;
  }
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
  const validate = validators.get(id) ?? ajv.compile(closed(answer.schema) as object);
  validators.set(id, validate);
  assert.ok(validate(reply.json), `${ajv.errorsText(validate.errors)} in ${reply.text}`);
}

for (const [id, operation] of table) {
  test(`${id}: the answer matches its schema`, async () => {
    const prepared = await prepare(service, `good-${id}`);
    assertFits(id, operation, await sendGood(id, prepared));
  });

  test(`${id}: the examples of the contract are accepted and match`, async () => {
    const { answer, body, method } = operation;
    if (answer.schema) {
      const example = JSON.stringify(answer.example);
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      const reply = { status: answer.status, text: example, json: JSON.parse(example) };
      assertFits(id, operation, { ...reply, headers: { ...headers, 'x-request-id': 'x' } });
    }
    if (!body) return;
    const prepared = await prepare(service, `example-${id}`);
    const sent = { body: body.example };
    const reply = await service.send(method, pathOf(operation, prepared), sent);
    assertFits(id, operation, reply);
    // Unknown fields are ignored.
    const again = await prepare(service, `unknown-${id}`);
    const more = { ...(body.example as object), somethingElse: { a: 1 }, $ref: '#' };
    const fields = id === 'createRealm' ? { ...more, id: 'other' } : more;
    const other = await service.send(method, pathOf(operation, again), { body: fields });
    assertFits(id, operation, other);
  });
}

test('HEAD answers like GET, without a body', async () => {
  const prepared = await prepare(service, 'heads');
  for (const [id, operation] of table) {
    if (operation.method !== 'GET' || operation.body) continue;
    const path = pathOf(operation, prepared);
    const [head, get] = [await service.send('HEAD', path), await service.send('GET', path)];
    assert.equal(head.status, 200, id);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal((await service.send('HEAD', path, { key: null })).status, 401);
  }
});
