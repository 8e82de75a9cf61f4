import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Makes the package of the client that is published, in client/dist or in the folder given:
 * compiled to JavaScript, which Node wants of packages. A clone uses the sources as they are.
 */
const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'client');
const folder = resolve(process.argv[2] ?? join(CLIENT, 'dist'));

rmSync(folder, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', CLIENT, '--outDir', folder], { stdio: 'inherit' });
cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(CLIENT, 'README.md'), join(folder, 'README.md'));
const { private: _, ...manifest } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
const exported = { types: './index.d.ts', default: './index.js' };
const published = { ...manifest, exports: exported, sideEffects: false };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
