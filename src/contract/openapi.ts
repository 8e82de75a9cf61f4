import type { TSchema } from 'typebox';
import manifest from '../../package.json' with { type: 'json' };
import { about, headers, securitySchemes, tags } from './openapi/about.ts';
import { describeCall } from './openapi/call.ts';
import { type JsonObject, spelledOut } from './openapi/plain-schema.ts';
import { problemSchema, sharedProblemAnswers } from './openapi/problem-answers.ts';
import type { Operation } from './operation.ts';
import { Key, NewKey } from './operations/keys.ts';
import { Member } from './operations/members.ts';
import { Realm } from './operations/realms.ts';
import { Wallet } from './operations/wallets.ts';
import { operations } from './operations.ts';

const namedSchemas: Record<string, TSchema> = { Realm, Key, NewKey, Member, Wallet };
const names = new Map<object, string>(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);

/** The API as OpenAPI 3.1, generated from the table and schemas that also check requests. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Realmkeep',
      version: manifest.version,
      summary: manifest.description,
      description: about,
      license: { name: 'Apache License 2.0', identifier: manifest.license },
    },
    // Relative, so that calls go to the host that served the document.
    servers: [{ url: '/', description: 'This service' }],
    security: [{ bearer: [] }],
    tags,
    paths: paths(),
    components: {
      schemas: { ...componentSchemas(), Problem: problemSchema },
      responses: sharedProblemAnswers(),
      headers,
      securitySchemes,
    },
  };
}

function componentSchemas(): JsonObject {
  const spelled = Object.entries(namedSchemas).map(([name, schema]) => [
    name,
    spelledOut(schema, names),
  ]);
  return Object.fromEntries(spelled);
}

function paths(): JsonObject {
  const byPath: Record<string, JsonObject> = {};
  for (const [id, operation] of Object.entries(operations) as [string, Operation][]) {
    // OpenAPI 3.1 does not know QUERY; the description of the equivalent POST mentions it.
    if (operation.method === 'QUERY') continue;
    const methods = byPath[operation.path] ?? {};
    methods[operation.method.toLowerCase()] = describeCall(id, operation, names);
    byPath[operation.path] = methods;
  }
  return byPath;
}
