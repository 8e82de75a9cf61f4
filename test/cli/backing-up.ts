import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { Cli } from './cli.ts';
import { ALICE, writeHistory } from './journal-history.ts';

export async function cliWithHistory(t: TestContext): Promise<Cli> {
  const cli = new Cli(t);
  await writeHistory(cli);
  return cli;
}

/** A backup called a.db, and the present database with one record more. */
export async function cliWithBackup(t: TestContext): Promise<Cli> {
  const cli = await cliWithHistory(t);
  assert.equal((await cli.run(['backup', 'a.db'])).code, 0);
  await cli.run(['points', 'add', 'acme', ALICE, '5']);
  return cli;
}

export const recordsIn = (cli: Cli, file = 'realmkeep.db'): unknown => {
  using db = new DatabaseSync(join(cli.folder, file));
  return db.prepare("SELECT seq FROM realms WHERE realm_id = 'acme'").get()?.seq;
};

export const namesIn = (cli: Cli, folder: string): string[] =>
  readdirSync(join(cli.folder, folder));
