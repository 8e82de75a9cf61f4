import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../support/program.ts';
import type { Cli } from './cli.ts';

/** Files that a command line reads and writes. */
export async function acme(cli: Cli, ...options: string[]): Promise<void> {
  await cli.run(['realm', 'create', 'acme', '--name', 'Acme', ...options]);
}

export const write = (cli: Cli, name: string, text: string): void =>
  writeFileSync(join(cli.folder, name), text);

export const read = (cli: Cli, name: string): string =>
  readFileSync(join(cli.folder, name), 'utf8');

let files = 0;

/** What a command writes to the file of `--to`, without a process of its own. */
async function fileOf(cli: Cli, args: string[]): Promise<string> {
  files += 1;
  await cli.run([...args, '--to', `file-${files}`]);
  return read(cli, `file-${files}`);
}

export const journalOf = (cli: Cli): Promise<string> => fileOf(cli, ['journal', 'export', 'acme']);

export const exported = (cli: Cli, what: string, ...args: string[]): Promise<string> =>
  fileOf(cli, ['export', 'acme', what, ...args]);

/** A shell for pipes, in which `realmkeep` is this one. */
export const shell = (cli: Cli, script: string): Promise<Ended> =>
  cli.startShell(`realmkeep() { "$NODE" "$BIN" "$@"; }; ${script}`, {}).ended;
