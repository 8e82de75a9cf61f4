import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../contract/openapi.ts';
import { ProblemError } from '../contract/problems.ts';
import { addDocsPage } from './docs-page.ts';
import type { Services } from './services.ts';

/** Everything beside the API: health checks, the OpenAPI document and the reference page. */
export async function addPages(app: FastifyInstance, { ledger }: Services): Promise<void> {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    const ready = await ledger.query('ready', null).catch(() => false);
    if (!ready) throw new ProblemError('not-ready');
    return { status: 'ready' };
  });
  const document = JSON.stringify(openApiDocument());
  app.get('/openapi.json', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('x-content-type-options', 'nosniff')
      .send(document),
  );
  addDocsPage(app);
}
