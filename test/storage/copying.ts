import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Cli } from '../cli/cli.ts';
import { writeHistory } from '../cli/journal-history.ts';
import { newPostgresDatabase, sqliteFile, type TestDatabase } from '../support/database.ts';

interface Copying {
  folder: string;
  /** A file with a history. */
  source: TestDatabase;
  /** A database to copy into; on a cluster, a bare one is not distributed. */
  target(isBare?: boolean): Promise<TestDatabase>;
}

/** The setup of a test of the copy; it is removed when the tests have ended. */
export async function copying(): Promise<Copying> {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-copy-'));
  const source = sqliteFile(folder);
  await writeHistory({ database: source } as Cli);
  const made: TestDatabase[] = [];
  after(async () => {
    for (const database of made) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const target = async (isBare = false): Promise<TestDatabase> => {
    const database = await newPostgresDatabase(undefined, isBare);
    made.push(database);
    return database;
  };
  return { folder, source, target };
}
