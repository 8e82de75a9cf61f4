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
  load: () => Promise<ConsoleBundle> = loadConsole,
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

async function consoleOf({ script, styles, parts }: ConsoleBundle): Promise<Console> {
  const [main, sheet] = await Promise.all([
    staticFile('text/javascript', script),
    staticFile('text/css', styles),
  ]);
  const scriptPath = `/console/main-${main.digest}.js`;
  const stylesPath = `/console/styles-${sheet.digest}.css`;
  const assets = new Map([
    [scriptPath, main],
    [stylesPath, sheet],
  ]);
  for (const [name, part] of parts) {
    const type = isFont(name) ? 'font/woff2' : 'text/javascript';
    assets.set(`/console/${name}`, await staticFile(type, part));
  }
  const early = [...parts.keys()].map(preload).filter((link) => link !== null);
  return { page: pageOf(scriptPath, stylesPath, early), assets };
}

const isFont = (name: string): boolean => name.endsWith('.woff2');

/** What the style sheet or the script will ask for at once is asked for beside them. */
function preload(name: string): string | null {
  const href = `href="/console/${name}"`;
  if (isFont(name)) return `<link rel="preload" ${href} as="font" type="font/woff2" crossorigin>`;
  return isShared(name) ? `<link rel="modulepreload" ${href}>` : null;
}

/** What the script and its later part both import, as the bundler names it. */
const isShared = (name: string): boolean => name.startsWith('chunk-');

const pageOf = (script: string, styles: string, early: string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Realmkeep</title>
    <link rel="icon" href="${ICON}">
    ${early.join('\n    ')}
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

/** The files of the console. */
export interface ConsoleBundle {
  script: Uint8Array;
  styles: Uint8Array;
  /** The font, and what the script loads when it needs it, by names that change with contents. */
  parts: ReadonlyMap<string, Uint8Array>;
}

const SCRIPT = 'main.js';
const STYLES = 'styles.css';

/** In the package, whose compiled files are beside those of this folder. */
const BUILT = new URL('../console/', import.meta.url);
/** In a clone, which is run without a build. */
const SOURCES = new URL('../../console/', import.meta.url);

/** What was built for the package, or else built now from the sources. */
async function loadConsole(): Promise<ConsoleBundle> {
  if (!existsSync(BUILT)) return bundleConsole();
  const names = readdirSync(BUILT).filter((name) => !name.endsWith('.LICENSE'));
  return bundleOf(new Map(names.map((name) => [name, readFileSync(new URL(name, BUILT))])));
}

function bundleOf(files: ReadonlyMap<string, Uint8Array>): ConsoleBundle {
  const { [SCRIPT]: script, [STYLES]: styles, ...parts } = Object.fromEntries(files);
  if (!script || !styles) throw new Error(`the console has no ${SCRIPT} or no ${STYLES}`);
  return { script, styles, parts: new Map(Object.entries(parts)) };
}

/** The files by their names, as the package has them. */
export const filesOf = ({ script, styles, parts }: ConsoleBundle): [string, Uint8Array][] => [
  [SCRIPT, script],
  [STYLES, styles],
  ...parts,
];

/** Bundles the sources of the console, which takes less than a second. */
export async function bundleConsole(): Promise<ConsoleBundle> {
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
    return bundleOf(new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])));
  } finally {
    // It runs in a process of its own, which nobody needs any more.
    await stop();
  }
}
