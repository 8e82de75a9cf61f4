import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import type { Operation } from '../operation.ts';
import { IdempotencyKey, pathParameterNames, pathParameters } from '../validation.ts';
import { type JsonObject, type NamedSchemas, plainSchema } from './plain-schema.ts';
import { problemAnswers, requestIdHeader } from './problem-answers.ts';

/** One operation of the table, as OpenAPI tells it. */
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
    ...(body ? { requestBody: requestBody(body, named) } : {}),
    responses: {
      [operation.answer.status]: goodAnswer(operation, named),
      ...problemAnswers(operation),
    },
  };
}

const needs = (scope: Operation['scope']): string =>
  scope === 'root' ? 'Needs the **root key**.' : `Needs a key with the scope \`${scope}\`.`;

function parameters({ method, path, query }: Operation, named: NamedSchemas): JsonObject[] {
  const inPath = pathParameterNames(path).map((name) =>
    parameter('path', name, pathParameters[name] ?? {}, named),
  );
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, TSchema> };
  const inQuery = Object.entries(properties).map(([name, schema]) =>
    parameter('query', name, schema, named),
  );
  if (method !== 'POST' && method !== 'PATCH') return [...inPath, ...inQuery];
  return [...inPath, ...inQuery, parameter('header', 'Idempotency-Key', IdempotencyKey, named)];
}

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: TSchema,
  named: NamedSchemas,
): JsonObject {
  const { description, examples, ...plain } = plainSchema(schema, named) as {
    description?: string;
    examples?: unknown[];
    type?: unknown;
  };
  // A list in a query is also taken as one text with commas; a document names one form.
  const isList = Array.isArray(plain.type) && plain.type.includes('array');
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: isList ? { ...plain, type: 'array' } : plain,
    ...(examples ? { example: examples[0] } : {}),
  };
}

function requestBody(body: NonNullable<Operation['body']>, named: NamedSchemas): JsonObject {
  return {
    required: !body.optional,
    content: {
      'application/json': { schema: plainSchema(body.schema, named), example: body.example },
    },
  };
}

function goodAnswer(operation: Operation, named: NamedSchemas): JsonObject {
  const { status, schema, example } = operation.answer;
  const replays = operation.scope !== 'read' && /^(POST|PATCH)$/.test(operation.method);
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
