import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { exampleAnswer } from '../../scripts/openapi/example.ts';
import { problemCodes } from '../../scripts/openapi/problem-answers.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { pathParameterNames } from '../../src/contract/parameters.ts';
import { type ProblemCode, problems } from '../../src/contract/problems.ts';
import { requestCheck } from '../../src/contract/validation.ts';

interface Example {
  value: unknown;
}
interface Described {
  schema: object;
  example?: unknown;
  examples?: Record<string, Example>;
}
interface Parameter extends Described {
  name: string;
  in: string;
  required: boolean;
}
interface Answer {
  $ref?: string;
  content?: Record<string, Described>;
}
interface Call {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Described> };
  responses: Record<string, Answer>;
}
interface OpenApi {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Call>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, Described>;
  };
}

const document = openApiDocument() as unknown as OpenApi;
const { components } = document;
const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ path, method, call })),
);
const table = Object.entries(operations) as [string, Operation][];
const told = table.filter(([, { method }]) => method !== 'QUERY');

const callOf = (id: string): Call => {
  const found = calls.find(({ call }) => call.operationId === id);
  assert.ok(found, `${id} is in the document`);
  return found.call;
};

const resolve = (ref: string): unknown => {
  assert.match(ref, /^#\//, 'every reference stays in the document');
  let place: unknown = document;
  for (const step of ref.slice(2).split('/')) place = (place as Record<string, unknown>)?.[step];
  return place;
};

const settled = (answer: Answer): Answer =>
  answer.$ref === undefined ? answer : (resolve(answer.$ref) as Answer);

/** Visits every object in a value, with its path. */
function visit(
  value: unknown,
  see: (node: Record<string, unknown>, at: string[]) => void,
  at: string[] = [],
): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Record<string, unknown>, at);
  for (const [key, inner] of Object.entries(value)) visit(inner, see, [...at, key]);
}

/** Strict: an unknown keyword is an error, so none of our own can be left. */
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
ajv.addKeyword('components');
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
ajv.addFormat('uri', /^[a-z]+:\S+$/);
ajv.addFormat('int64', true);

/** Most schemas occur many times in the document, and compiling takes a while. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

function validatorOf(schema: object): ReturnType<typeof ajv.compile> {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile({ ...schema, components });
  compiled.set(text, validate);
  return validate;
}

function assertFits(schema: object, value: unknown, place: string): void {
  const validate = validatorOf(schema);
  assert.ok(validate(value), `${place}: ${ajv.errorsText(validate.errors)}`);
}

function assertExamplesFit(described: Described, place: string): void {
  validatorOf(described.schema);
  const examples = Object.entries(described.examples ?? {});
  if (described.example !== undefined) assertFits(described.schema, described.example, place);
  for (const [name, { value }] of examples) {
    assertFits(described.schema, value, `${place} ${name}`);
  }
  visit(described.schema, ({ examples: own, ...schema }, at) => {
    if (!Array.isArray(own)) return;
    for (const value of own) assertFits(schema, value, `${place} ${at.join('/')}`);
  });
}

test('the document is OpenAPI 3.1, with the package version and a relative server', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } });
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, manifest.version);
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ['/'],
  );
});

test('the document survives serialisation', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
});

test('every reference resolves', () => {
  let count = 0;
  visit(document, ({ $ref }, at) => {
    if (typeof $ref !== 'string') return;
    count += 1;
    assert.ok(resolve($ref), `${$ref} at ${at.join('/')}`);
  });
  assert.ok(count > 0);
});

test('the document has exactly the operations of the table, except QUERY', () => {
  const inTable = told.map(([id, { method, path }]) => `${id}: ${method} ${path}`);
  const inDocument = calls.map(
    ({ path, method, call }) => `${call.operationId}: ${method.toUpperCase()} ${path}`,
  );
  assert.deepEqual(inDocument.toSorted(), inTable.toSorted());
  assert.equal(new Set(calls.map(({ call }) => call.operationId)).size, calls.length);
  assert.match(callOf('checkWalletsByPost').description, /QUERY/);
});

test('every operation has a description, a known tag and its parameters', () => {
  const tags = new Set(document.tags.map(({ name }) => name));
  for (const { path, method, call } of calls) {
    const place = `${method} ${path}`;
    assert.ok(call.summary && call.description, place);
    assert.ok(call.tags.length === 1 && call.tags.every((tag) => tags.has(tag)), place);
    const inPath = call.parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      inPath.map(({ name }) => name),
      pathParameterNames(path),
      place,
    );
    assert.ok(
      inPath.every(({ required }) => required),
      place,
    );
    const names = call.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    assert.equal(new Set(names).size, names.length, place);
    const changes = ['post', 'put', 'patch'].includes(method);
    assert.equal(names.includes('header Idempotency-Key'), changes, place);
  }
});

test('every example matches its schema, and every schema is plain JSON Schema', () => {
  for (const { path, method, call } of calls) {
    const place = `${method} ${path}`;
    for (const parameter of call.parameters) {
      assertExamplesFit(parameter, `${place} ${parameter.name}`);
    }
    const body = call.requestBody?.content['application/json'];
    if (body) assertExamplesFit(body, `${place} body`);
    for (const [status, answer] of Object.entries(call.responses)) {
      for (const media of Object.values(settled(answer).content ?? {})) {
        assertExamplesFit(media, `${place} ${status}`);
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    assertExamplesFit({ schema }, name);
  }
  for (const [name, header] of Object.entries(components.headers)) {
    assertExamplesFit(header, name);
  }
});

test('every body and every successful answer has an example', () => {
  for (const [id, operation] of told) {
    const { answer, example } = operation;
    const call = callOf(id);
    const media = call.requestBody?.content['application/json'];
    assert.deepEqual(media?.example, example, id);
    const good = call.responses[answer.status];
    assert.ok(good, id);
    const shown = good.content?.['application/json']?.example;
    assert.deepEqual(shown ?? null, exampleAnswer(operation), id);
  }
});

test('the request check accepts the examples', () => {
  for (const [id, operation] of told) {
    const required = callOf(id).parameters.filter((parameter) => parameter.required);
    const examplesIn = (where: string) =>
      Object.fromEntries(
        required.flatMap((one) => (one.in === where ? [[one.name, one.example]] : [])),
      );
    requestCheck(operation)({
      params: examplesIn('path'),
      query: examplesIn('query'),
      headers: { 'idempotency-key': 'a-key' },
      body: operation.example,
    });
  }
});

test('every problem of an operation has an example under its status', () => {
  for (const [id, operation] of told) {
    const shown = Object.entries(callOf(id).responses).flatMap(([status, answer]) => {
      const { examples = {} } = settled(answer).content?.['application/problem+json'] ?? {};
      return Object.entries(examples).map(([code, { value }]) => {
        const body = value as { status: number; code: string };
        assert.deepEqual([body.status, body.code], [Number(status), code], id);
        assert.equal(problems[code as ProblemCode].status, Number(status), id);
        return code;
      });
    });
    assert.deepEqual(shown.toSorted(), problemCodes(operation).toSorted(), id);
    for (const code of operation.problems) assert.ok(shown.includes(code), `${id} ${code}`);
  }
});

test('an operation has exactly the problems that it can answer', () => {
  const unavailable = ['overloaded', 'storage-full', 'storage-unavailable'];
  const refused = ['unauthorized', 'rate-limited', ...unavailable];
  const always = ['invalid-request', 'internal', ...refused, 'headers-too-large'];
  const withBody = ['malformed-json', 'body-too-large'];
  const expected: Record<string, string[]> = {
    listRealms: [...always, 'insufficient-scope'],
    getMember: [...always, 'forbidden', 'realm-not-found', 'member-not-found'],
    checkWallets: [...always, ...withBody, 'forbidden', 'realm-not-found'],
    createRealm: [
      ...always,
      ...withBody,
      'unsupported-media-type',
      'insufficient-scope',
      'idempotency-key-reused',
      'outcome-unknown',
      'realm-exists',
      'realm-being-deleted',
      'bounds-crossed',
    ],
  };
  for (const [id, codes] of Object.entries(expected)) {
    const operation = operations[id as keyof typeof operations] as Operation;
    assert.deepEqual(problemCodes(operation).toSorted(), codes.toSorted(), id);
  }
});

test('our own keywords become standard ones', () => {
  const limit = callOf('listMembers').parameters.find(({ name }) => name === 'limit');
  assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 500, default: 50 });
  const properties = (id: string): Record<string, Record<string, unknown>> => {
    const { schema } = callOf(id).requestBody?.content['application/json'] ?? {};
    const named = resolve((schema as { $ref: string }).$ref);
    return (named as { properties: Record<string, Record<string, unknown>> }).properties;
  };
  const { recipientId } = properties('transferPoints');
  const forms = recipientId?.oneOf as { type: string; format?: string }[];
  assert.deepEqual(forms.map(({ type, format }) => `${type} ${format ?? ''}`.trim()).toSorted(), [
    'integer int64',
    'string',
  ]);
  assert.equal(properties('createKey').expiresAt?.format, 'date-time');
});

test('the wallet check takes a body or a query with GET, and a body with POST', () => {
  const queryNames = (id: string) =>
    callOf(id)
      .parameters.filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
  assert.deepEqual(queryNames('checkWallets'), ['wallets']);
  assert.equal(callOf('checkWallets').requestBody?.required, false);
  assert.deepEqual(queryNames('checkWalletsByPost'), []);
  assert.equal(callOf('checkWalletsByPost').requestBody?.required, true);
  assert.equal(callOf('rotateKey').requestBody?.required, false);
});
