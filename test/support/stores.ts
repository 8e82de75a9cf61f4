import { after } from 'node:test';
import type { Store } from '../../src/engine/store.ts';
import { migrations } from '../../src/store/postgres/migrations.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { newDatabase, STORAGE, type TestDatabase } from './database.ts';

const EMPTY = Array.from(
  migrations.join('').matchAll(/CREATE TABLE (\w+)/g),
  ([, table]) => `DELETE FROM ${table};`,
).join('');

interface Opened {
  database: TestDatabase;
  store: Store;
}

const idle: Opened[] = [];
const opened: Opened[] = [];
after(async () => {
  for (const { database, store } of opened) {
    await store.close();
    await database.drop();
  }
});

/** An empty store that is cheap to open and close, for properties with thousands of runs. */
export async function emptyStore(): Promise<Store> {
  if (STORAGE === 'sqlite') return openSqliteStore(':memory:');
  const next = idle.pop() ?? (await openAnother());
  return {
    ...next.store,
    close: async () => {
      await next.database.exec(EMPTY);
      idle.push(next);
    },
  };
}

async function openAnother(): Promise<Opened> {
  const database = await newDatabase();
  const next = { database, store: await database.open() };
  opened.push(next);
  return next;
}

/** The number of runs of a property: fewer over PostgreSQL, where a run takes longer. */
export const runs = (inMemory: number): number =>
  Math.ceil(STORAGE === 'sqlite' ? inMemory : inMemory / 25);
