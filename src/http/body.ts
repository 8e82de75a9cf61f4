import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { JsonError, readJson } from '../contract/json.ts';
import { invalidRequest, ProblemError } from '../contract/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the route reads a body; one that does not ignores whatever is sent. */
    takesBody: boolean;
  }
}

/** `application/json` and its relatives, in UTF-8. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(; *(charset="?utf-8"? *)?)?$/i;

/**
 * Reads bodies as exact JSON. On GET, QUERY and DELETE the content type counts for nothing: many
 * clients send one always, and `curl -d` claims a form.
 */
export function readBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.decorateRequest('takesBody', false);
  app.removeAllContentTypeParsers();
  // Named apart from the rest, the usual type is found without being taken to pieces.
  const types = ['application/json', '*'];
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parse(request, bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** To be called before the framework looks at the content type. */
export function settleContentType({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'QUERY' && method !== 'DELETE') return;
  const hasBody =
    headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // The framework insists on a content type with QUERY, body or not.
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
