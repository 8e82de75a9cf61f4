import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JsonError, readJson } from '../contract/json.ts';
import { invalidRequest, ProblemError } from '../contract/problems.ts';

/** `application/json` and its relatives, in UTF-8. */
const JSON_TYPE = /^application\/([\w.-]+\+)?json *(; *charset="?utf-8"?)? *;?$/i;

/**
 * Reads bodies as exact JSON. On GET, QUERY and DELETE the content type counts for nothing: many
 * clients send one always, and `curl -d` claims a form.
 */
export function readBodies(app: FastifyInstance): void {
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addHook('onRequest', (request, _reply, done) => {
    if (ignoresContentType(request.method)) settleContentType(request);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parse(request, bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

const ignoresContentType = (method: string): boolean =>
  method === 'GET' || method === 'QUERY' || method === 'DELETE';

function settleContentType(request: FastifyRequest): void {
  const { headers } = request.raw;
  const hasBody =
    headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
  // The framework insists on a content type with QUERY, body or not.
  if (hasBody || request.method === 'QUERY') headers['content-type'] = 'application/json';
  else delete headers['content-type'];
}

function parse(request: FastifyRequest, bytes: Buffer): unknown {
  if (!request.routeOptions.config.takesBody || bytes.length === 0) return undefined;
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
