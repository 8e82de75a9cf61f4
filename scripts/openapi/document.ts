import manifest from '../../package.json' with { type: 'json' };
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { about, headers, securitySchemes, tags } from './about.ts';
import { describeCall, schemasOf } from './call.ts';
import { type JsonObject, schemaDefinitions } from './plain-schema.ts';
import { problemSchema, sharedProblemAnswers } from './problem-answers.ts';

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
