import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundleConsole } from '../src/http/console.ts';
import { scriptOfLibrary } from '../src/http/pages.ts';

/**
 * Makes dist/ for the package, because Node runs no TypeScript inside node_modules. The files have
 * the same places as in src/, so that paths relative to them are the same.
 */
const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const { resolve } = createRequire(import.meta.url);

rmSync(DIST, { recursive: true, force: true });
const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'tsconfig.build.json')], {
  stdio: 'inherit',
});

// The workspaces are no packages of their own there: the thread that uses them has them in itself.
await build({
  entryPoints: [join(ROOT, 'src/discord/host.ts')],
  outfile: join(DIST, 'discord/host.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  sourcemap: true,
  logLevel: 'warning',
});

writeFileSync(join(DIST, 'http/reference.js'), await scriptOfLibrary());
const library = dirname(dirname(resolve('@scalar/fastify-api-reference')));
copyFileSync(join(library, 'LICENSE'), join(DIST, 'http/reference.js.LICENSE'));

mkdirSync(join(DIST, 'console'));
for (const [name, contents] of await bundleConsole()) {
  writeFileSync(join(DIST, 'console', name), contents);
}
copyFileSync(join(ROOT, 'console/fonts/figtree.LICENSE'), join(DIST, 'console/figtree.LICENSE'));
