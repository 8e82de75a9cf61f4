import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type BuildOptions, build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** The package of the client as it is published, in a folder of its own. */
export function clientPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-client-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const dist = join(folder, 'package');
  execFileSync(process.execPath, [join(ROOT, 'scripts/client-package.ts'), dist]);
  return dist;
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
    alias: { '@realmkeep/client': join(client, 'index.js') },
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}
