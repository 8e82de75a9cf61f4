import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/domain/model.ts';
import type { ColumnType } from '../../src/store/dialect.ts';
import { keyDirectory } from '../../src/store/key-directory.ts';
import { owners, passkeys, service, sessions } from '../../src/store/service-tables.ts';
import { tables } from '../../src/store/tables.ts';
import { command, REALM } from '../domain/histories.ts';
import { newDatabase, STORAGE } from '../support/database.ts';

/** The tables as they are in a new database, beside their description. */
const database = await newDatabase();
await (await database.ledger()).close();
after(() => database.drop());

interface ColumnShape {
  name: string;
  type: string;
  isNullable: boolean;
}

interface TableShape {
  columns: ColumnShape[];
  key: string[];
}

interface Dialect {
  types: Record<ColumnType, string>;
  /** Tables that only migrations use. */
  others: string[];
  tableNames: string;
  shapeOf(table: string): Promise<TableShape>;
}

const sqlite: Dialect = {
  types: { text: 'TEXT', integer: 'INTEGER', id: 'INTEGER', boolean: 'INTEGER', bytes: 'BLOB' },
  others: [],
  tableNames: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
  shapeOf: async (table) => {
    const rows = await database.rows(`PRAGMA table_info(${table})`);
    const key = rows.filter(({ pk }) => pk !== 0).sort((a, b) => Number(a.pk) - Number(b.pk));
    return {
      columns: rows.map(({ name, type, notnull }) => ({
        name: String(name),
        type: String(type),
        isNullable: notnull === 0,
      })),
      key: key.map(({ name }) => String(name)),
    };
  },
};

const postgres: Dialect = {
  types: { text: 'text', integer: 'bigint', id: 'bigint', boolean: 'smallint', bytes: 'bytea' },
  others: ['schema_migrations'],
  tableNames: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  shapeOf: async (table) => {
    const columns = await database.rows(
      `SELECT column_name, data_type, is_nullable FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = '${table}'`,
    );
    const key = await database.rows(
      `SELECT a.attname FROM pg_index i
       JOIN unnest(i.indkey) WITH ORDINALITY AS k(attnum, place) ON true
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indrelid = '${table}'::regclass AND i.indisprimary ORDER BY k.place`,
    );
    return {
      columns: columns.map(({ column_name, data_type, is_nullable }) => ({
        name: String(column_name),
        type: String(data_type),
        isNullable: is_nullable === 'YES',
      })),
      key: key.map(({ attname }) => String(attname)),
    };
  },
};

const { types, others, tableNames, shapeOf } = STORAGE === 'postgres' ? postgres : sqlite;
const described = [service, sessions, owners, passkeys, keyDirectory, ...Object.values(tables)];

const byName = (a: ColumnShape, b: ColumnShape): number => (a.name < b.name ? -1 : 1);

for (const table of described) {
  test(`the table ${table.name} is as described`, async () => {
    const { columns, key } = await shapeOf(table.name);
    const expected = table.columns.map(({ name, type, isNullable }) => ({
      name,
      type: types[type],
      isNullable,
    }));
    assert.deepEqual(columns.toSorted(byName), expected.toSorted(byName));
    assert.deepEqual(key, table.key);
  });
}

test('every table is described, except those of migrations', async () => {
  const rows = await database.rows(tableNames);
  const names = rows.map(({ name }) => String(name));
  assert.deepEqual(names.toSorted(), [...others, ...described.map(({ name }) => name)].toSorted());
});

test('a realm stored before a setting was added takes its default', async () => {
  const ledger = await database.ledger();
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  const { siteUrl: _, ...older } = { ...DEFAULT_SETTINGS, autoEnroll: true };
  await database.exec(`UPDATE realms SET settings = '${JSON.stringify(older)}'`);
  const realm = await ledger.query('realm', { realmId: REALM });
  assert.deepEqual(realm?.settings, { ...DEFAULT_SETTINGS, autoEnroll: true });
  await ledger.close();
});
