import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ProblemError } from '../contract/problems.ts';
import type { MethodGuard } from './methods.ts';
import { ICON, lazily, type StaticFile, sendStatic, staticFile } from './static-files.ts';

/** The addresses of views, which a reload asks for. All of them are the same page. */
const VIEWS = ['/join', '/link', '/people', '/sessions', '/realms', '/realms/*'];

/** Nothing is loaded from elsewhere, nothing inline is run, and no page may frame this one. */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
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

interface Console {
  page: string;
  /** By their paths. */
  assets: ReadonlyMap<string, StaticFile>;
}

/** The console at `/`: a page, its scripts, its style sheet and its font. */
export function addConsole(
  app: FastifyInstance,
  guard: MethodGuard,
  logger: Logger,
  load: () => Promise<ConsoleFiles> = loadConsole,
): void {
  // On first use: a service that nobody manages in a browser needs none of it.
  const loaded = lazily(() =>
    load()
      .then(consoleOf)
      .catch((error) => {
        logger.error({ err: error }, 'the console cannot be loaded');
        const reason = 'The console could not be loaded, as the log says.';
        throw new ProblemError('not-ready', { reason });
      }),
  );
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
    if (!asset) return guard.refuseUnknown(request, reply);
    return sendStatic(request, reply.headers(securityHeaders), asset);
  });
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '');

async function consoleOf(files: ConsoleFiles): Promise<Console> {
  const assets = new Map<string, StaticFile>();
  for (const [name, bytes] of files) {
    assets.set(`/console/${name}`, await staticFile(typeOf(name), bytes));
  }
  return { page: pageOf([...files.keys()]), assets };
}

function typeOf(name: string): string {
  if (isFont(name)) return 'font/woff2';
  return isStyles(name) ? 'text/css' : 'text/javascript';
}

const isFont = (name: string): boolean => name.endsWith('.woff2');
const isStyles = (name: string): boolean => name.endsWith('.css');

/** The script itself, and what it asks for at once, as its style sheet does: beside each other. */
function elementOf(name: string): string | null {
  const path = `/console/${name}`;
  if (isStyles(name)) return `<link rel="stylesheet" href="${path}">`;
  if (isFont(name)) {
    return `<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`;
  }
  if (name.startsWith('main-')) return `<script type="module" src="${path}"></script>`;
  // What the script and its later part both import, as the bundler names it.
  return name.startsWith('chunk-') ? `<link rel="modulepreload" href="${path}">` : null;
}

const pageOf = (names: string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Realmkeep</title>
    <link rel="icon" href="${ICON}">
    ${names.flatMap((name) => elementOf(name) ?? []).join('\n    ')}
  </head>
  <body>
    <div id="console"></div>
    <noscript>The console needs JavaScript. The API does not: see <a href="/docs">its reference</a>.
    </noscript>
  </body>
</html>
`;

/** Scripts, style sheet and font, by names that change with their contents. */
export type ConsoleFiles = ReadonlyMap<string, Uint8Array>;

/** In the package, whose compiled files are beside those of this folder. */
const BUILT = new URL('../console/', import.meta.url);
/** In a clone, which is run without a build. */
const SOURCES = new URL('../../console/', import.meta.url);

/** What was built for the package, or else built now from the sources. */
async function loadConsole(): Promise<ConsoleFiles> {
  if (!existsSync(BUILT)) return bundleConsole();
  const names = readdirSync(BUILT).filter((name) => !name.endsWith('.LICENSE'));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, BUILT))]));
}

/** Bundles the sources of the console, which takes less than a second. */
export async function bundleConsole(): Promise<ConsoleFiles> {
  const { build, stop } = await import('esbuild');
  const entry = (name: string): string => fileURLToPath(new URL(name, SOURCES));
  try {
    const { outputFiles } = await build({
      // Where the alias is looked for: a clone can be run from any folder.
      absWorkingDir: fileURLToPath(SOURCES),
      entryPoints: [entry('main.tsx'), entry('styles.css')],
      outdir: 'out',
      write: false,
      bundle: true,
      splitting: true,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.woff2': 'file' },
      // All of it would be split off with what renders pages on servers.
      alias: { 'preact-iso': 'preact-iso/router' },
      minify: true,
      format: 'esm',
      target: 'es2023',
      logLevel: 'silent',
    });
    return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  } finally {
    // It runs in a process of its own, which nobody needs any more.
    await stop();
  }
}
