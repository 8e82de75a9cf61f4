import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../contract/openapi.ts';
import type { Services } from './calls.ts';

/** What stands around the API: health, the OpenAPI document and the page that shows it. */
export async function addPages(app: FastifyInstance, { keeper }: Services): Promise<void> {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await keeper.ask('ready', null).catch(() => false);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  const document = openApiDocument();
  app.get('/openapi.json', () => document);
  await app.register(scalar, { routePrefix: '/docs', configuration: { content: document } });
}
