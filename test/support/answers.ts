import assert from 'node:assert/strict';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Operation } from '../../src/contract/operation.ts';
import type { Reply } from './service.ts';

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

/** Asserts that an answer has exactly the declared shape. */
export function assertFits(id: string, { answer }: Operation, reply: Reply): void {
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
