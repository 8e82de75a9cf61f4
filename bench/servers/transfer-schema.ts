import { readFileSync } from 'node:fs';
import fastify from 'fastify';

interface Described {
  content: { 'application/json': { schema: object } };
}

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody: Described;
  responses: { 200: Described };
}

const api = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const operation: Operation =
  api.paths['/api/v4/realms/{realmID}/members/{memberID}/transfer'].patch;

const parametersIn = (place: 'path' | 'header') => {
  const own = operation.parameters.filter((one) => one.in === place);
  // Node reports the names of headers in lower case.
  const nameOf = (name: string) => (place === 'header' ? name.toLowerCase() : name);
  const properties = own.map(({ name, schema }) => [nameOf(name), schema]);
  const required = own.filter((one) => one.required).map(({ name }) => nameOf(name));
  return { type: 'object', required, properties: Object.fromEntries(properties) };
};

const schemaOf = (described: Described): object =>
  withoutReferences(described.content['application/json'].schema);

/** A copy with each named schema in the place of the reference to it. */
function withoutReferences<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const name = value?.$ref?.match(/^#\/components\/schemas\/(\w+)$/)?.[1];
    return name ? withoutReferences(api.components.schemas[name]) : value;
  });
}

/**
 * The published schemas of a transfer, including its header and both forms of a recipient, for a
 * plain Fastify.
 */
export const transferSchema = {
  params: parametersIn('path'),
  headers: parametersIn('header'),
  body: schemaOf(operation.requestBody),
  response: { 200: schemaOf(operation.responses[200]) },
};

/** Without coercion, which would turn a recipient's id into a number. */
export const emptyFastify = () =>
  fastify({ logger: false, ajv: { customOptions: { coerceTypes: false } } });
