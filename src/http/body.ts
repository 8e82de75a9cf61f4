import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JsonError, readJson } from '../contract/json.ts';
import { invalidRequest, ProblemError } from '../contract/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A route without a body ignores whatever is sent. */
    takesBody: boolean;
  }
}

/** `application/json` and its relatives, in UTF-8. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(; *(charset="?utf-8"? *)?)?$/i;

/** Parses bodies as exact JSON. */
export function addBodyParser(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.decorateRequest('takesBody', false);
  app.removeAllContentTypeParsers();
  // A type that is registered by name is found without being parsed.
  const types = ['application/json', '*'];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parse(request, bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Ignores the content type of GET, QUERY and DELETE: many clients always send one, and `curl -d`
 * claims a form. Must run before Fastify looks at it.
 */
export function normaliseContentType({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'QUERY' && method !== 'DELETE') return;
  const hasBody =
    headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // Fastify requires a content type with QUERY, even without a body.
  if (hasBody || method === 'QUERY') headers['content-type'] = 'application/json';
  else delete headers['content-type'];
}

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  if (!request.takesBody || bytes.length === 0) return undefined;
  const type = request.headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw new ProblemError('unsupported-media-type');
  }
  try {
    return readJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { kind, detail, pointer } = error.fault;
    throw kind === 'malformed'
      ? new ProblemError('malformed-json', { reason: detail })
      : invalidRequest([{ pointer, detail }]);
  }
}
