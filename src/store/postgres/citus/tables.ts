import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';

interface Table {
  name: string;
  hasRealms: boolean;
}

export interface DistributedTables {
  /** Tables that are now distributed by realm. */
  byRealm: string[];
  /** Tables that every server now stores in full. */
  everywhere: string[];
}

const sql = {
  // A table belongs to realms if the first column of its primary key is the realm.
  undistributed: statement<Table, [string[]]>(
    `SELECT wanted.name, EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a
         ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = to_regclass(wanted.name) AND i.indisprimary
           AND a.attname = 'realm_id') AS "hasRealms"
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted(name, place)
     WHERE to_regclass(wanted.name) IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(wanted.name))
     ORDER BY wanted.place`,
  ),
  everywhere: statement<unknown, [string]>('SELECT create_reference_table($1::text::regclass)'),
  // `realms` defines the shards and all other tables share them: a realm is on one server.
  first: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'none')`,
  ),
  colocated: statement<unknown, [string]>(
    `SELECT create_distributed_table($1::text::regclass, 'realm_id', colocate_with => 'realms')`,
  ),
};

/** The tables of these migrations that are not distributed yet, in the order of their creation. */
export const undistributedTables = (
  connection: Connection,
  migrations: readonly string[],
): Promise<Table[]> =>
  connection.query(sql.undistributed, [
    'schema_migrations',
    ...migrations.flatMap((migration) =>
      Array.from(migration.matchAll(/CREATE TABLE (\w+)/g), ([, name]) => name ?? ''),
    ),
  ]);

/**
 * Distributes tables with their rows: those of realms by realm, the few others to every server.
 * `onTable` is called before each.
 */
export async function distributeTables(
  connection: Connection,
  tables: readonly Table[],
  onTable: (table: string) => void = () => undefined,
): Promise<DistributedTables> {
  const done: DistributedTables = { byRealm: [], everywhere: [] };
  for (const { name, hasRealms } of tables) {
    onTable(name);
    const byRealm = name === 'realms' ? sql.first : sql.colocated;
    await connection.query(hasRealms ? byRealm : sql.everywhere, name);
    (hasRealms ? done.byRealm : done.everywhere).push(name);
  }
  return done;
}
