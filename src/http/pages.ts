import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../contract/openapi.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Services } from './calls.ts';
import { addDocsPage } from './docs-page.ts';

/** What stands around the API: health, the OpenAPI document and the page that shows it. */
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
