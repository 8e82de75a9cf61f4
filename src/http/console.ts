import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ProblemError } from '../contract/problems.ts';
import { type ConsoleBundle, loadConsole } from './console-bundle.ts';
import { ICON } from './icon.ts';
import { sendFile } from './large-files.ts';
import type { MethodGuard } from './methods.ts';

/** The addresses of views, which a reload asks for. All of them are the same page. */
const VIEWS = ['/sessions', '/realms', '/realms/*'];

/** Nothing is loaded from elsewhere, nothing inline is run, and no page may frame this one. */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
};

interface Asset {
  type: string;
  plain: Buffer;
  zipped: Buffer;
}

interface Console {
  page: string;
  /** By their paths, which change with their contents, so that browsers may cache them for ever. */
  assets: ReadonlyMap<string, Asset>;
}

/** The console at `/`: a page, its script and its style sheet. */
export function addConsole(
  app: FastifyInstance,
  guard: MethodGuard,
  logger: Logger,
  load: () => Promise<ConsoleBundle> = loadConsole,
): void {
  let loading: Promise<Console> | undefined;
  // Loaded on first use: a service that nobody manages in a browser needs none of it.
  const loaded = (): Promise<Console> => {
    loading ??= load()
      .then(consoleOf)
      .catch((error) => {
        loading = undefined;
        logger.error({ err: error }, 'the console cannot be loaded');
        const reason = 'The console could not be loaded, as the log says.';
        throw new ProblemError('not-ready', { reason });
      });
    return loading;
  };
  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    const { page } = await loaded();
    return reply.headers(securityHeaders).type('text/html; charset=utf-8').send(page);
  };
  app.get('/', sendPage);
  for (const path of VIEWS) {
    // A program that has left out /api/v4 is told so.
    app.get(path, (request, reply) =>
      acceptsHtml(request) ? sendPage(request, reply) : guard.refuseUnknown(request, reply),
    );
  }
  app.get('/console/:file', async (request, reply) => {
    const asset = (await loaded()).assets.get(request.url);
    return asset ? sendAsset(request, reply, asset) : guard.refuseUnknown(request, reply);
  });
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
  if (zips) reply.header('content-encoding', 'gzip');
  reply
    .headers(securityHeaders)
    .header('vary', 'accept-encoding')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .type(asset.type);
  return sendFile(reply, zips ? asset.zipped : asset.plain);
}

async function consoleOf({ script, styles }: ConsoleBundle): Promise<Console> {
  const scriptPath = `/console/main-${digest(script)}.js`;
  const stylesPath = `/console/styles-${digest(styles)}.css`;
  const assets = new Map([
    [scriptPath, await assetOf('text/javascript; charset=utf-8', script)],
    [stylesPath, await assetOf('text/css; charset=utf-8', styles)],
  ]);
  return { page: pageOf(scriptPath, stylesPath), assets };
}

const digest = (bytes: Uint8Array): string => hash('sha256', bytes, 'base64url').slice(0, 16);

async function assetOf(type: string, bytes: Uint8Array): Promise<Asset> {
  const plain = Buffer.from(bytes);
  return { type, plain, zipped: await promisify(gzip)(plain, { level: 9 }) };
}

const pageOf = (script: string, styles: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Realmkeep</title>
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="${styles}">
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <div id="console"></div>
    <noscript>The console needs JavaScript. The API does not: see <a href="/docs">its reference</a>.
    </noscript>
  </body>
</html>
`;
