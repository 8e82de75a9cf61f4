import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Before and after `npm pack -w client`. A clone uses the sources of the client as they are, but
 * Node wants packages to be JavaScript: what is packed is compiled, and its manifest says so.
 */
const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'client');
const DIST = join(CLIENT, 'dist');
const LICENSE = join(CLIENT, 'LICENSE');
const MANIFEST = join(CLIENT, 'package.json');

function setExports(exports: unknown): void {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
}

rmSync(DIST, { recursive: true, force: true });
if (process.argv.includes('--undo')) {
  setExports('./src/index.ts');
  rmSync(LICENSE);
} else {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', CLIENT], { stdio: 'inherit' });
  copyFileSync(join(ROOT, 'LICENSE'), LICENSE);
  setExports({ types: './dist/index.d.ts', default: './dist/index.js' });
}
