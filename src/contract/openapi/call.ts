import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { type Operation, takesIdempotencyKey } from '../operation.ts';
import { IdempotencyKey, pathParameterNames, pathParameters } from '../validation.ts';
import { type JsonObject, type NamedSchemas, plainSchema } from './plain-schema.ts';
import { problemAnswers, requestIdHeader } from './problem-answers.ts';

/** One operation as an OpenAPI operation object. */
export function describeCall(
  operationId: string,
  operation: Operation,
  named: NamedSchemas,
): JsonObject {
  const { tag, summary, description, scope, body } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${needs(scope)}`,
    security: [{ bearer: [scope] }],
    parameters: parameters(operation, named),
    ...(body ? { requestBody: requestBody(operation.method, body, named) } : {}),
    responses: {
      [operation.answer.status]: goodAnswer(operation, named),
      ...problemAnswers(operation),
    },
  };
}

const needs = (scope: Operation['scope']): string =>
  scope === 'root' ? 'Needs the **root key**.' : `Needs a key with scope \`${scope}\`.`;

function parameters(operation: Operation, named: NamedSchemas): JsonObject[] {
  const inPath = pathParameterNames(operation.path).map((name) =>
    parameter('path', name, pathParameters[name] ?? {}, named),
  );
  const inQuery = Object.entries(queryFields(operation)).map(([name, schema]) =>
    parameter('query', name, schema, named),
  );
  if (!takesIdempotencyKey(operation)) return [...inPath, ...inQuery];
  return [...inPath, ...inQuery, parameter('header', 'Idempotency-Key', IdempotencyKey, named)];
}

/** A field that the body has too is a parameter only of GET, where few clients can send a body. */
function queryFields({ method, query, body }: Operation): Record<string, TSchema> {
  const inBody = method === 'GET' ? {} : fields(body?.schema);
  return Object.fromEntries(Object.entries(fields(query)).filter(([name]) => !(name in inBody)));
}

const fields = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: TSchema,
  named: NamedSchemas,
): JsonObject {
  const { description, examples, ...plain } = plainSchema(schema, named) as ParameterSchema;
  const required = place === 'path';
  const example = examples?.[0] ?? plain.enum?.[0];
  // The service accepts both forms of a list; OpenAPI can describe only one.
  const isList = Array.isArray(plain.type) && plain.type.includes('array');
  return {
    name,
    in: place,
    required,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: isList ? { ...plain, type: 'array' } : plain,
    ...(required ? { example } : unsentExample(plain, example)),
  };
}

interface ParameterSchema {
  description?: string;
  examples?: unknown[];
  type?: unknown;
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
  method: Operation['method'],
  { schema, example, optional }: NonNullable<Operation['body']>,
  named: NamedSchemas,
): JsonObject {
  const plain = plainSchema(schema, named);
  // On GET, the query can replace the body.
  const required = method === 'GET' ? !optional : !optional || 'required' in plain;
  return { required, content: { 'application/json': { schema: plain, example } } };
}

function goodAnswer(operation: Operation, named: NamedSchemas): JsonObject {
  const { status, schema, example } = operation.answer;
  const replays = operation.scope !== 'read' && takesIdempotencyKey(operation);
  return {
    description: STATUS_CODES[status],
    headers: {
      ...requestIdHeader,
      ...(replays ? { 'idempotent-replayed': { $ref: '#/components/headers/Replayed' } } : {}),
    },
    ...(schema
      ? { content: { 'application/json': { schema: plainSchema(schema, named), example } } }
      : {}),
  };
}
