import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The local chain has its own packages, which need a newer Node than npm may run on: they are not
 * dependencies of the project, but installed here by npm on the bundled Node.
 */
const FOLDER = import.meta.dirname;
const MODULES = join(FOLDER, 'node_modules');
const MANIFEST = ['package.json', 'package-lock.json'];
const TIMEOUT_MS = 5 * 60 * 1000;
const run = promisify(execFile);

/** Installs and compiles what is missing; returns the path of the compiled contracts. */
export async function installChain(): Promise<string> {
  const stamp = join(MODULES, `.installed-${digest(MANIFEST.map((name) => join(FOLDER, name)))}`);
  if (!existsSync(stamp)) await installPackages(stamp);
  const folder = join(FOLDER, 'contracts');
  const compiler = join(FOLDER, 'compile.mjs');
  const sources = readdirSync(folder).map((name) => join(folder, name));
  const contracts = join(MODULES, `.contracts-${digest([compiler, ...sources])}.json`);
  if (!existsSync(contracts)) {
    await run(process.execPath, [compiler, contracts, ...sources], { timeout: TIMEOUT_MS });
  }
  return contracts;
}

/** Installs into a temporary folder and renames it, so that concurrent installs do not clash. */
async function installPackages(stamp: string): Promise<void> {
  const folder = mkdtempSync(join(FOLDER, '.install-'));
  try {
    for (const name of MANIFEST) copyFileSync(join(FOLDER, name), join(folder, name));
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await npm(options, folder);
    writeFileSync(join(folder, 'node_modules', stamp.slice(MODULES.length + 1)), '');
    if (existsSync(stamp)) return;
    rmSync(MODULES, { recursive: true, force: true });
    renameSync(join(folder, 'node_modules'), MODULES);
  } catch (error) {
    if (!existsSync(stamp)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function npm(args: string[], cwd: string): Promise<void> {
  const { npm_execpath: script, PATH = '', ...env } = process.env;
  const path = `${dirname(process.execPath)}${delimiter}${PATH}`;
  const options = { cwd, timeout: TIMEOUT_MS, env: { ...env, PATH: path } };
  if (script?.endsWith('.js')) await run(process.execPath, [script, ...args], options);
  else await run('npm', args, options);
}

function digest(paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

if (import.meta.main) await installChain();
