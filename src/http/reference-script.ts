import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify from 'fastify';

/** The copy that the package contains, because the library would triple its installed size. */
const COPY = join(import.meta.dirname, 'reference.js');

/** The script of the page at /docs: the package's copy, or in a clone the library's own. */
export function referenceScript(): Promise<Buffer> {
  return readFile(COPY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return scriptOfLibrary();
  });
}

/**
 * The library exposes its script only through its own routes, so it is fetched once from a server
 * that never listens. Its page is not used: it needs an inline script, and fails on a Host header
 * that is not a host name.
 */
export async function scriptOfLibrary(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, rawPayload } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode === 200) return rawPayload;
  throw new Error(`loading the reference's script failed with ${statusCode}`);
}
