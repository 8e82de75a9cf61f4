import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { IGNORED_HEADER } from '../../src/contract/bodies.ts';
import { isWrite, type Operation, takesIdempotencyKey } from '../../src/contract/operation.ts';
import { IdempotencyKey, pathFields } from '../../src/contract/parameters.ts';
import { ON_BEHALF_OF_HEADER, OnBehalfOf } from '../../src/contract/remarks.ts';
import { exampleAnswer, exampleStream } from './example.ts';
import { fieldsOf, type JsonObject, plainSchema, titled } from './plain-schema.ts';
import {
  headerRef,
  problemAnswers,
  rateLimitHeaders,
  requestIdHeader,
  storesIdempotencyKey,
} from './problem-answers.ts';

/** One operation as an OpenAPI operation object. */
export function describeCall(operationId: string, operation: Operation): JsonObject {
  const { tag, summary, description, scope, body, keyOptional } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${needs(scope)}`,
    security: [{ bearer: [scope] }, ...(keyOptional ? [{}] : [])],
    parameters: parameters(operation),
    ...(body && { requestBody: requestBody(operationId, operation, body) }),
    responses: {
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [status, goodAnswer(operationId, operation, status)]),
      ),
      ...problemAnswers(operation),
    },
  };
}

/** The statuses of its successful answers. */
const statusesOf = ({ answer, mayCreate }: Operation): number[] =>
  mayCreate ? [answer.status, 201] : [answer.status];

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Bodies, and answers that are no noun of their own, are named after their operation. */
const titledBody = (operationId: string, schema: TSchema): TSchema =>
  titled(schema, `${upper(operationId)}Body`);
const titledAnswer = (operationId: string, schema: TSchema): TSchema =>
  titled(schema, `${upper(operationId)}Answer`);

/** The schemas of an operation's body and answer. */
export const schemasOf = (operationId: string, { body, answer }: Operation): TSchema[] => [
  ...(body ? [titledBody(operationId, body)] : []),
  ...(answer.schema ? [titledAnswer(operationId, answer.schema)] : []),
];

const needs = (scope: Operation['scope']): string =>
  scope === 'root' ? 'Needs the **root key**.' : `Needs a key with scope \`${scope}\`.`;

/** A field that the body has too is a parameter only of GET, where few clients can send a body. */
function parameters(operation: Operation): JsonObject[] {
  const { path, method, query, body, stream } = operation;
  const inBody = method === 'GET' ? {} : fieldsOf(body);
  const inQuery = Object.entries(fieldsOf(query)).filter(([name]) => !(name in inBody));
  const required = new Set((query as { required?: string[] } | undefined)?.required);
  const header = parameter('header', 'Idempotency-Key', IdempotencyKey, false);
  return [
    ...Object.entries(pathFields(path)).map(([name, schema]) =>
      parameter('path', name, schema, true),
    ),
    ...inQuery.map(([name, schema]) => parameter('query', name, schema, required.has(name))),
    ...Object.entries(fieldsOf(stream?.headers)).map(([name, schema]) =>
      parameter('header', name, schema, false),
    ),
    ...(takesIdempotencyKey(operation) ? [header] : []),
    ...(isWrite(operation) ? [parameter('header', ON_BEHALF_OF_HEADER, OnBehalfOf, false)] : []),
  ];
}

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: TSchema,
  required: boolean,
): JsonObject {
  const { description, examples, pattern, ...plain } = plainSchema(schema) as ParameterSchema;
  const example = examples?.[0] ?? plain.enum?.[0];
  // The service accepts both forms of a list; OpenAPI can describe only one.
  const isList = Array.isArray(plain.type) && plain.type.includes('array');
  const one = pattern === undefined ? plain : { ...plain, pattern };
  return {
    name,
    in: place,
    required,
    description,
    ...(isList && { style: 'form', explode: false }),
    schema: isList ? { ...plain, type: 'array' } : one,
    ...(required ? { example } : unsentExample(plain, example)),
  };
}

interface ParameterSchema {
  description?: string;
  examples?: unknown[];
  type?: unknown;
  pattern?: string;
  enum?: unknown[];
  default?: unknown;
}

/**
 * The reference page would send the example of an optional parameter by default, and so filter a
 * list that nobody asked to filter.
 */
const unsentExample = (schema: ParameterSchema, value: unknown): JsonObject =>
  value === undefined || schema.default !== undefined
    ? {}
    : { examples: { default: { value, 'x-disabled': true } } };

function requestBody(
  operationId: string,
  { method, example, bodyOptional }: Operation,
  schema: TSchema,
): JsonObject {
  // On GET, the query can replace the body.
  const required = !bodyOptional || (method !== 'GET' && 'required' in schema);
  const plain = plainSchema(titledBody(operationId, schema));
  return { required, content: { 'application/json': { schema: plain, example } } };
}

function goodAnswer(operationId: string, operation: Operation, status: number): JsonObject {
  const { answer, mayCreate } = operation;
  const { schema: untitled } = answer;
  const schema = untitled && titledAnswer(operationId, untitled);
  const isLocated = status === 202 || (mayCreate && status === 201);
  return {
    description: STATUS_CODES[status],
    headers: {
      ...requestIdHeader,
      // The root key is not limited.
      ...(operation.scope !== 'root' && rateLimitHeaders),
      ...(isWrite(operation) && { [IGNORED_HEADER]: headerRef('Ignored') }),
      ...(storesIdempotencyKey(operation) && {
        'idempotent-replayed': headerRef('Replayed'),
      }),
      ...(isLocated && { location: headerRef('Location') }),
    },
    ...(schema && {
      content: {
        'application/json': { schema: plainSchema(schema), example: exampleAnswer(operation) },
        ...(operation.stream && {
          'text/event-stream': { schema: { type: 'string' }, example: exampleStream(operation) },
        }),
      },
    }),
  };
}
