import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Shape, shapeOf } from '../../src/contract/body-shape.ts';
import { IgnoredFields } from '../../src/contract/ignored-fields.ts';
import { type Json, type ReadBody, readJson, readJsonInSlices } from '../../src/contract/json.ts';
import { JsonError } from '../../src/contract/json-scanner.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { ProblemError } from '../../src/contract/problems.ts';
import { requestCheck } from '../../src/contract/validation.ts';
import { canonicalJson, fingerprintOf } from '../../src/http/calls.ts';
import { canonicalPieces, fingerprintInSlices } from '../../src/http/large-fingerprint.ts';
import { anyJson, damagedJson } from './any-json.ts';

/** A body that is read in slices has the faults, the meaning and the fingerprint of any other. */
const withBodies = (Object.values(operations) as Operation[]).filter(({ body }) => body);
const NOTHING: Shape = { fields: new Map(), items: null, isFreeForm: false, most: 0 };

function finished<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

const inSlices = (body: Buffer, shape: Shape, slice?: number) =>
  finished(readJsonInSlices(body, shape, true, slice));

/** What a function returns, or the fault or problem that it throws, as plain data. */
function resultOf(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof JsonError) {
      const { kind, message, pointer } = error;
      return { kind, message, pointer };
    }
    assert(error instanceof ProblemError, `${(error as Error).stack}`);
    return { code: error.code, extra: error.extra };
  }
}

/** The bodies of an operation: its own fields and others, with values right and wrong. */
function bodiesOf({ body }: Operation): fc.Arbitrary<Json> {
  const { schema, example } = body as NonNullable<Operation['body']>;
  const fields = Object.keys((schema as { properties?: object }).properties ?? {});
  const name = fc.oneof(fc.constantFrom(...fields), fc.constantFrom('x', 'a/b', 'toString'));
  const good = Object.values(example as Record<string, Json>);
  const entry = fc.constantFrom(null, ...good, ...good.flat(), ...good.flat(2));
  const wrong = fc.oneof(anyJson, fc.array(anyJson, { maxLength: 3 }));
  const part = fc.oneof(entry, wrong, fc.array(fc.oneof(entry, wrong), { maxLength: 4 }));
  const object = fc.dictionary(name, part, { maxKeys: 6 });
  return fc.oneof(
    object,
    object.map((more) => ({ ...more, ...(example as object) }) as Json),
    object.map((more) => ({ ...(example as object), ...more }) as Json),
    wrong,
  );
}

test('a fault is found at the same place, however little is built and wherever it pauses', () => {
  const shapes = [NOTHING, ...withBodies.map(({ body }) => shapeOf(body?.schema as object))];
  const shape = fc.constantFrom(...shapes);
  const wrapped = anyJson.map((value) => ({ metadata: value, a: [value], b: { c: value } }));
  const body = fc.oneof(damagedJson(0), damagedJson(1, wrapped));
  const check = (bytes: Buffer, shape: Shape) => {
    const expected = resultOf(() => readJson(bytes)) as { kind?: string };
    const found = resultOf(() => inSlices(bytes, shape, 1).value) as { kind?: string };
    if (expected.kind !== undefined) assert.deepEqual(found, expected);
    else assert.equal(found.kind, undefined);
  };
  fc.assert(fc.property(body, shape, check), { numRuns: 2_000 });
});

test('a fault in a skipped value is found at the same place', () => {
  const nested = '['.repeat(70) + ']'.repeat(70);
  const long = `{"${'k'.repeat(101)}":{"a":[1e999]}}`;
  const faults = [
    ...['{"a":1,"a":2}', '[{"b":0,"c":[],"b":0}]', '{"__proto__":1}', '["\\u0000"]', '["\\ud800"]'],
    ...['{"\\u0000":1}', nested, '[1,[1e999]]', '["\\x"]', '[01]', '[1,]', '{"a" 1}', '{"a":1,}'],
    ...['["a\nb"]', '["', '[tru]', long, '{"a":{"a":{"a":1,"\\u0061":1}}}'],
  ];
  for (const fault of faults) {
    for (const text of [fault, `{"x":${fault}}`, `{"entries":[{"x":${fault}}]}`]) {
      const bytes = Buffer.from(text);
      const expected = resultOf(() => readJson(bytes)) as { kind?: string };
      assert(expected.kind !== undefined, text);
      const batch = shapeOf(operations.changeManyPoints.body.schema);
      for (const shape of [NOTHING, batch]) {
        assert.deepEqual(
          resultOf(() => inSlices(bytes, shape, 1)),
          expected,
          text,
        );
      }
    }
  }
});

for (const operation of withBodies) {
  test(`${operation.method} ${operation.path}: the same faults, known and unknown fields`, () => {
    const { schema } = operation.body as NonNullable<Operation['body']>;
    const { check, checkInSlices } = requestCheck(operation);
    const shape = shapeOf(schema);
    const params = { realmID: 'acme', memberID: '1', realmPointId: 'points', keyID: 'k' };
    const path = { ...params, transactionID: '1', holdID: '1' };
    const verify = (sent: Json) => {
      const bytes = Buffer.from(JSON.stringify(sent));
      const whole = readJson(bytes);
      const { value, ignored } = inSlices(bytes, shape, 7);
      assert.deepEqual(namesIn(ignored), unknownFields(whole, shape));
      const parts = { params: path, query: {}, headers: {} };
      const expected = resultOf(() => check({ ...parts, body: whole }));
      const found = resultOf(() => finished(checkInSlices({ ...parts, body: value })));
      assert.deepEqual(found, expected);
      if (Object.hasOwn(expected as object, 'value')) assert.deepEqual(value, known(whole, schema));
    };
    fc.assert(fc.property(bodiesOf(operation), verify), { numRuns: 100 });
  });
}

function unknownFields(whole: Json, shape: Shape): string[] {
  const ignored = new IgnoredFields();
  ignored.addFrom(whole, shape);
  return namesIn(ignored);
}

/** In an order of their own: that of keys that are numbers differs between text and object. */
const namesIn = (ignored: IgnoredFields | null): string[] =>
  (ignored?.header ?? '').split(',').toSorted();

/** A valid value without the fields that its schema does not have. */
function known(value: Json, schema: object): Json {
  const { properties, items } = schema as { properties?: Record<string, object>; items?: object };
  if (Array.isArray(value)) return items ? value.map((entry) => known(entry, items)) : value;
  if (!properties || typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(
    fields.map(([name, field]) => [name, known(field, properties[name] as object)]),
  );
}

test('the pieces of the canonical form are the canonical form', () => {
  const spaced = anyJson.map((value) => Buffer.from(JSON.stringify(value, null, ' \t')));
  fc.assert(
    fc.property(fc.oneof(damagedJson(0), spaced), (bytes) => {
      const whole = resultOf(() => readJson(bytes)) as { value?: Json };
      if (whole.value === undefined) return;
      const text = [...canonicalPieces(inSlices(bytes, NOTHING, 3))].join('');
      assert.equal(text, canonicalJson(whole.value));
    }),
    { numRuns: 1_000 },
  );
  const numbers =
    '[-0,0e5,1.50,1e20,1E308,-1e-7,9007199254740993,1e21,0.1,-5,12345678901234567890]';
  const strings = '["\\u0041\\/\\n","é","\\ud83d\\ude00","\u2028","\\u007f","a\\"b"]';
  const objects = '{"b":{"z":1,"a":{"d":[{"y":1,"x":2}],"c":0}},"\\u0061":{}, "10":1,"9":[ ] }';
  for (const text of [numbers, strings, objects]) {
    const bytes = Buffer.from(text);
    const pieces = [...canonicalPieces(inSlices(bytes, NOTHING))];
    assert.equal(pieces.join(''), canonicalJson(readJson(bytes)));
  }
});

test('a long string is read and written in parts as it is in one', () => {
  const unit = fc.constantFrom('a', '\\n', '\\u00e9', '\\ud83d\\ude00', '😀', '\\\\', '\\"', 'é');
  const end = fc.constantFrom('', '', '\\u0000', '\\ud83d', '\\ude00', '\\u12', '\\x', '\n', '"');
  const text = fc.tuple(fc.array(unit, { minLength: 20, maxLength: 60 }), end, end);
  const check = ([units, middle, last]: [string[], string, string]) => {
    const many = units.join('').repeat(600);
    for (const body of [`{"x":["${many}${middle}${many}${last}"]}`, `"${many}${last}`]) {
      const bytes = Buffer.from(body);
      const whole = resultOf(() => whollyRead(body));
      const found = resultOf(() => readJson(bytes));
      assert.deepEqual(found, whole);
      const skipped = resultOf(() => inSlices(bytes, NOTHING)) as { value?: ReadBody };
      if (skipped.value === undefined) assert.deepEqual(skipped, whole);
      else {
        const canonical = [...canonicalPieces(skipped.value)].join('');
        assert.equal(canonical, canonicalJson((found as { value: Json }).value));
      }
    }
  };
  fc.assert(fc.property(text, check), { numRuns: 30 });
});

/** With the faults of a string found by JSON.parse of the whole. */
function whollyRead(body: string): unknown {
  const [start, pointer] = body.startsWith('"') ? [1, ''] : [7, '/x/0'];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return readJson(Buffer.from(body));
  }
  const text = start === 1 ? (value as string) : (value as { x: string[] }).x[0];
  const fault = text?.includes('\0')
    ? 'U+0000'
    : text?.isWellFormed()
      ? ''
      : 'half of a surrogate pair';
  if (fault === '') return value;
  const place = `The string at character ${start}`;
  const error = new JsonError('refused', `${place} contains ${fault}, which cannot be stored.`);
  error.pointer = pointer;
  throw error;
}

test('the fingerprint of a body does not depend on its size, nor on how it is read', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `k${(index * 7) % 5000}`);
  const ignored = Object.fromEntries(keys.map((key) => [key, { b: [key], a: 1.5 }]));
  const entries = keys.map((key, index) => ({ tokens: 5, memberId: index + 1, description: key }));
  const body = { ignored, entries, description: 'Grüße "😀"' };
  const call = { operationId: 'changeManyPoints', params: { realmID: 'acme' } } as const;
  for (const space of [0, 1]) {
    const bytes = Buffer.from(JSON.stringify(body, null, space));
    const read = inSlices(bytes, shapeOf(operations.changeManyPoints.body.schema));
    assert.deepEqual(Object.keys(read.value as object), ['entries', 'description']);
    const fingerprint = finished(fingerprintInSlices(call, read));
    assert.equal(fingerprint, fingerprintOf({ ...call, body: readJson(bytes) }));
  }
});

test('what nothing looks at is not built', () => {
  const size = (value: Json): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, part) => sum + size(part), 1)
      : 1;
  const many = Array(20_000).fill([[]]);
  for (const { body, path } of withBodies) {
    const { schema, example } = body as NonNullable<Operation['body']>;
    const shape = shapeOf(schema);
    const fields = Object.keys((schema as { properties?: object }).properties ?? {});
    for (const name of [...fields, 'ignored']) {
      const sent = Buffer.from(JSON.stringify({ ...(example as object), [name]: many }));
      const built = size(inSlices(sent, shape).value);
      assert(built < 10_100, `${path} builds ${built} values of ${name}`);
    }
  }
});

test('a list or free-form value that is too large stays too large', () => {
  const check = (operation: Operation, body: Json) => {
    const shape = shapeOf(operation.body?.schema as object);
    const { value } = inSlices(Buffer.from(JSON.stringify(body)), shape);
    const parts = { params: { realmID: 'acme' }, query: {}, headers: {} };
    const whole = resultOf(() => requestCheck(operation).check({ ...parts, body }));
    assert.deepEqual(
      resultOf(() => requestCheck(operation).check({ ...parts, body: value })),
      whole,
    );
    return (whole as { extra?: { errors: object[] } }).extra?.errors ?? [];
  };
  const entry = { memberId: 1, tokens: 1 };
  for (const [length, faults] of [
    [10_000, 0],
    [10_001, 1],
    [30_000, 1],
  ] as const) {
    const entries = Array(length).fill(entry);
    assert.equal(check(operations.changeManyPoints, { entries }).length, faults);
  }
  // {"a":[0,0,…]} with n zeros has 2n + 7 bytes, and the limit is 8192.
  for (const [length, faults] of [
    [4092, 0],
    [4093, 1],
    [8193, 1],
    [50_000, 1],
  ] as const) {
    const metadata = { a: Array(length).fill(0) };
    assert.equal(check(operations.createMember, { metadata }).length, faults);
  }
});

test('no step of the work on a large body takes in more than a small part of it', () => {
  const operation = operations.changeManyPoints;
  const stepsOf = (work: Generator<unknown, unknown>): number => {
    let steps = 0;
    while (!work.next().done) steps += 1;
    return steps;
  };
  const shape = shapeOf(operation.body.schema);
  const nest = `${'['.repeat(60)}${']'.repeat(60)}`;
  const nested = Buffer.from(`{"x":[${Array(30_000).fill(nest).join()}],"entries":[{}]}`);
  assert(stepsOf(readJsonInSlices(nested, shape, false)) >= 200);
  const source = inSlices(nested, shape);
  const call = { operationId: 'changeManyPoints', params: {} } as const;
  assert(stepsOf(fingerprintInSlices(call, source)) >= 200);
  const keys = Array.from({ length: 200_000 }, (_, index) => `"${(index * 7) % 200_000}":0`);
  const wide = inSlices(Buffer.from(`{"x":{${keys.join()}}}`), shape);
  assert(stepsOf(fingerprintInSlices(call, wide)) >= 2_000);
  const entries = Array(10_000).fill({ memberId: 1, tokens: 1 });
  const parts = { params: { realmID: 'acme' }, query: {}, headers: {}, body: { entries } };
  assert(stepsOf(requestCheck(operation).checkInSlices(parts)) >= 150);
});
