import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A database of each released schema version, as SQL: `npm run fixture` makes the newest. */
export const FIXTURES = join(import.meta.dirname, 'fixtures');

type Storage = 'sqlite' | 'postgres';

export const fixtureName = (version: number, storage: Storage): string =>
  `schema-${version}.${storage}.sql`;

export interface Fixture {
  version: number;
  sql: string;
}

/** The fixtures for a database, the oldest first. */
export function fixturesOf(storage: Storage): Fixture[] {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith(`.${storage}.sql`));
  return names
    .map((name) => ({
      version: Number(/^schema-(\d+)\./.exec(name)?.[1]),
      sql: readFileSync(join(FIXTURES, name), 'utf8'),
    }))
    .toSorted((one, other) => one.version - other.version);
}
