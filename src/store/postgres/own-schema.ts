import { postgres } from '../dialect.ts';
import { ALL_TABLES } from '../schema.ts';
import type { Connection } from './connection.ts';
import { migrations } from './migrate.ts';
import { statement } from './statement.ts';

/**
 * What belongs to our tables, each as a line: what acts on their rows as well. Other programs may
 * have tables and views beside them. A cluster has internal triggers.
 */
const FOUND = statement<{ line: string }, [readonly string[]]>(
  `WITH own AS (SELECT c.oid, c.relname AS name, c.relkind, c.relrowsecurity
     FROM unnest($1::text[]) AS named(name) JOIN pg_class c ON c.oid = to_regclass(named.name))
   SELECT CASE relkind WHEN 'r' THEN 'table ' ELSE 'no table ' END || name AS line FROM own
   UNION ALL SELECT 'row security of ' || name FROM own WHERE relrowsecurity
   UNION ALL SELECT format('column %s.%s %s%s%s', name, attname, format_type(atttypid, atttypmod),
       CASE WHEN attnotnull THEN ' NOT NULL' END, CASE WHEN atthasdef THEN ' with a default' END)
     FROM own JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
   UNION ALL SELECT format('%sindex %s.%s', CASE WHEN NOT indisvalid THEN 'invalid ' END, name,
       indexrelid::regclass) FROM own JOIN pg_index ON indrelid = oid
   UNION ALL SELECT format('trigger %s.%s', name, tgname)
     FROM own JOIN pg_trigger ON tgrelid = own.oid AND NOT tgisinternal
   UNION ALL SELECT format('rule %s.%s', name, rulename)
     FROM own JOIN pg_rewrite ON ev_class = own.oid
   UNION ALL SELECT format('constraint %s.%s', name, conname)
     FROM own JOIN pg_constraint ON conrelid = own.oid AND contype NOT IN ('p', 'n')`,
);

const CREATED = /^\s*CREATE INDEX (\w+) ON (\w+)/gm;
const DROPPED = /^\s*DROP INDEX (\w+)/gm;

/** The same as it should be. */
function expected(): Set<string> {
  const lines = ALL_TABLES.flatMap(({ name, columns }) => [
    `table ${name}`,
    `index ${name}.${name}_pkey`,
    ...columns.map(({ name: own, type, isNullable }) => {
      const [word] = postgres.types[type].split(' ');
      return `column ${name}.${own} ${word}${isNullable ? '' : ' NOT NULL'}`;
    }),
  ]);
  const all = migrations.join('\n');
  const dropped = new Set(Array.from(all.matchAll(DROPPED), ([, index]) => index));
  for (const [, index, table] of all.matchAll(CREATED)) {
    if (!dropped.has(index)) lines.push(`index ${table}.${index}`);
  }
  return new Set(lines);
}

/** How the tables differ from what the migrations have made. */
export async function catalogueFaults(connection: Connection): Promise<string[]> {
  const own = expected();
  const rows = await connection.query(
    FOUND,
    ALL_TABLES.map(({ name }) => name),
  );
  const found = new Set(rows.map(({ line }) => line));
  return [
    ...[...found].filter((line) => !own.has(line)).map((line) => `there is the ${line}`),
    ...[...own].filter((line) => !found.has(line)).map((line) => `there is no ${line}`),
  ];
}
