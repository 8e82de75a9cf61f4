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
  /** A database that books can be copied into; a bare one is not even distributed. */
  target(isBare?: boolean): Promise<TestDatabase>;
}

/** What tests of a copy begin with; it is tidied up after all of them. */
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
