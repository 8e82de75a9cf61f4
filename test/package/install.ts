import { execFile } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/sources.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 5 * 60 * 1000;
/** How npm says that it reaches no registry. */
const NO_REGISTRY = /ENOTCACHED|EAI_AGAIN|ENOTFOUND|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/;

/** The programs of the machine: without those of the clone, whose Node is newer. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes(`${sep}node_modules${sep}`))
  .join(delimiter);
/** The package has a compile cache of its own. */
export const env = { ...process.env, PATH, NODE_COMPILE_CACHE: undefined };

interface Package {
  /** An otherwise empty folder into which the package was installed. */
  folder: string;
  /** The paths in the tarball. */
  files: string[];
}

/** Packs the clone and installs the tarball elsewhere; a sentence if npm has nothing to install. */
export async function installPackage(): Promise<Package | string> {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-package-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const packed = await npm(ROOT, 'pack', '--json', '--pack-destination', folder);
  // The build may print before the answer.
  const [{ filename, files }] = JSON.parse(packed.slice(packed.search(/^\[/m)));
  const paths = files.map(({ path }: { path: string }) => path);
  const tarball = join(folder, filename);
  try {
    await npm(folder, 'install', tarball, '--prefer-offline', '--no-audit', '--no-fund');
  } catch (error) {
    const [fault] = NO_REGISTRY.exec(String(error)) ?? [];
    if (fault === undefined) throw error;
    return `npm reaches no registry to install the package from (${fault})`;
  }
  rmSync(tarball);
  return { folder, files: paths };
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', args, { cwd, env, timeout: TIMEOUT_MS });
  return stdout;
}

/** The folders of packages that contain a Node. */
const nodesIn = (modules: string): string[] =>
  readdirSync(modules).filter((name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name));

/** What `npm install --omit=optional` leaves out. */
export function removeNodes(modules: string): void {
  for (const name of nodesIn(modules)) rmSync(join(modules, name), { recursive: true });
}

/** The bytes of all files, except for packages that contain a Node. */
export function installedBytes(modules: string): number {
  const nodes = nodesIn(modules);
  const names = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const others = names.filter((name) => !nodes.includes(name.split(sep)[0] ?? ''));
  const entries = others.map((name) => lstatSync(join(modules, name)));
  return entries.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
}
