import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ProblemError } from '../contract/problems.ts';
import type { StorageFault } from '../domain/queries.ts';
import type { UnavailableReason } from '../ledger/errors.ts';
import { turns, WHOLE_TURN } from './connections.ts';
import type { Services, Status } from './services.ts';
import { ICON, lazily, sendStatic, staticFile } from './static-files.ts';

/** Everything beside the API: health checks, the OpenAPI document and the reference page. */
export function addPages(app: FastifyInstance, services: Services, logger: Logger): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  const readiness = readinessOf(services, logger);
  app.get('/readyz', async () => {
    const faults = await readiness();
    const found = Object.fromEntries(faults.map(({ check, reason }) => [check, reason]));
    const isChecked = services.status.checkedAt !== null;
    const checks = { storage: 'ok', ...(isChecked && { integrity: 'ok' }), ...found };
    if (faults.every(({ check }) => check === 'servers')) return { status: 'ready', checks };
    const reason = faults.map((fault) => fault.reason).join(' ');
    throw new ProblemError('not-ready', { reason, checks });
  });
  app.get('/openapi.json', async (_request, reply) => {
    await turns.next('', WHOLE_TURN);
    return reply.type('application/json; charset=utf-8').send(documentBytes());
  });
  addDocsPage(app);
}

let document: Buffer | undefined;

/** Read on first use. Bytes, since of a string every socket would hold a copy of what is unsent. */
function documentBytes(): Buffer {
  document ??= readFileSync(new URL('../../openapi.json', import.meta.url));
  return document;
}

/** For browsers. Relative, in case a proxy serves all of this below a path of its own. */
export function leadToDocs(app: FastifyInstance): void {
  app.get('/', (_request, reply) => reply.redirect('docs', 302));
}

/**
 * The API reference at /docs. It works offline: page, script and document all come from this
 * service, and the policy forbids the browser to load anything else.
 */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    // The reference sets style attributes and adds its style sheet by script.
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

const configuration = {
  url: 'openapi.json',
  theme: 'default',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // A key that is typed into the page is not stored.
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  // A link to a section focuses it, and an outline around a whole section is distracting.
  customCss: 'section:focus-visible { outline: none }',
};

const page = (version: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Realmkeep API</title>
    <link rel="icon" href="${ICON}">
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page needs JavaScript. Read <a href="openapi.json">openapi.json</a> instead.
    </noscript>
    <script src="docs/reference.js?v=${version}"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration, null, 2)});\n`;

function addDocsPage(app: FastifyInstance): void {
  // On first use: it is large, and most deployments never show it.
  const script = lazily(async () => staticFile('text/javascript', await referenceScript()));
  app.get('/docs', async (_request, reply) => {
    const { digest } = await script();
    return reply.headers(securityHeaders).type('text/html; charset=utf-8').send(page(digest));
  });
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  app.get('/docs/start.js', (_request, reply) =>
    reply.headers(securityHeaders).type('text/javascript; charset=utf-8').send(start),
  );
  app.get('/docs/reference.js', async (request, reply) =>
    sendStatic(request, reply.headers(securityHeaders), await script()),
  );
}

/** The copy that the package contains, because the library would triple its installed size. */
const COPY = join(import.meta.dirname, 'reference.js');

/** The script of the page at /docs: the package's copy, or in a clone the library's own. */
function referenceScript(): Promise<Buffer> {
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

/** How old the storage's answer may be: anybody may probe, and each probe would query it. */
const MAX_AGE_MS = 1_000;

const UNREACHABLE: StorageFault = { check: 'storage', reason: 'The database cannot be reached.' };

/** Reads may go on: each call is answered by what it finds. */
const outages: Partial<Record<UnavailableReason, string>> = {
  'storage-full': 'The disk of the database is full: no change is accepted until there is space.',
};
const NOT_WRITABLE = 'The database accepts no changes: its disk fails, or is read-only.';

/** What keeps the service from serving callers, in words; nothing if it is ready. */
export function readinessOf(
  { ledger, status }: Services,
  logger: Logger,
): () => Promise<StorageFault[]> {
  let known = '';
  const askStorage = async (): Promise<StorageFault[]> => {
    const faults = await ledger.query('ready', null).catch(() => [UNREACHABLE]);
    const reason = faults.map((fault) => fault.reason).join(' ');
    if (reason !== known) {
      known = reason;
      if (reason === '') logger.info('ready again');
      else logger.warn({ reason }, 'not ready');
    }
    return faults;
  };
  let latest: Promise<StorageFault[]> | null = null;
  let expiresAt = 0;
  const storageFaults = (): Promise<StorageFault[]> => {
    if (latest !== null && performance.now() < expiresAt) return latest;
    expiresAt = Number.POSITIVE_INFINITY;
    latest = askStorage().finally(() => {
      expiresAt = performance.now() + MAX_AGE_MS;
    });
    return latest;
  };
  return async () => {
    if (status.isStopping) return [{ check: 'storage', reason: 'The service is stopping.' }];
    const faults = withOutage(await storageFaults(), status.outage);
    if (status.damage === null) return faults;
    const reason = `The database file is damaged: ${status.damage}. Restore a copy of it.`;
    return [...faults, { check: 'integrity', reason }];
  };
}

/** An outage is known at once; that the database cannot be reached says more. */
function withOutage(faults: StorageFault[], outage: Status['outage']): StorageFault[] {
  if (outage === null || faults.some(({ check }) => check === 'storage')) return faults;
  const reason = outages[outage.reason] ?? NOT_WRITABLE;
  return [...faults, { check: 'storage', reason }];
}
