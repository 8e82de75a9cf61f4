import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type BuildOptions, build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = 'client/package.json';

/** What `npm pack -w client` needs. */
export const PACKED = [
  'package.json',
  'tsconfig.json',
  'LICENSE',
  'scripts/client-package.ts',
  'client',
];

/** The client as people install it, in the node_modules of a folder of its own. */
export function clientPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-client-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  // While it is packed, its manifest is another: not in the clone that other tests use.
  const clone = join(folder, 'clone');
  for (const path of PACKED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const pack = ['pack', '-w', 'client', '--silent', '--pack-destination', folder];
  const filename = execFileSync('npm', pack, { cwd: clone, encoding: 'utf8' }).trim();
  const installed = join(folder, 'node_modules/@realmkeep/client');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
  const [before, now] = [ROOT, clone].map((root) => readFileSync(join(root, MANIFEST), 'utf8'));
  assert.equal(now, before, 'the manifest is as it was');
  return installed;
}

/** A program as one file, with the published client in it. */
export async function bundle(
  entry: string,
  client: string,
  options: BuildOptions = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: { '@realmkeep/client': join(client, 'dist/index.js') },
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}
