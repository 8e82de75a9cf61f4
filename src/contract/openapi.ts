import manifest from '../../package.json' with { type: 'json' };
import { about, headers, securitySchemes, tags } from './openapi/about.ts';
import { describeCall, schemasOf } from './openapi/call.ts';
import { type JsonObject, schemaDefinitions } from './openapi/plain-schema.ts';
import { problemSchema, sharedProblemAnswers } from './openapi/problem-answers.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

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
      schemas: {
        ...schemaDefinitions(described.flatMap((one) => schemasOf(...one))),
        Problem: problemSchema,
      },
      responses: sharedProblemAnswers(),
      headers,
      securitySchemes,
    },
  };
}

/** OpenAPI 3.1 does not know QUERY; the description of the equivalent POST mentions it. */
const described = Object.entries<Operation>(operations).filter(
  ([, { method }]) => method !== 'QUERY',
);

function paths(): JsonObject {
  const byPath: Record<string, JsonObject> = {};
  for (const [id, operation] of described) {
    const method = operation.method.toLowerCase();
    byPath[operation.path] = { ...byPath[operation.path], [method]: describeCall(id, operation) };
  }
  return byPath;
}
