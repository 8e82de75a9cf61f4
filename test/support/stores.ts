import { after } from 'node:test';
import type { Store } from '../../src/ledger/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { newDatabase, STORAGE } from './database.ts';

/** A store for the thousands of runs of a file's properties, each of which has its own realm. */
export async function storeForFile(): Promise<Store> {
  if (STORAGE === 'sqlite') return openSqliteStore(':memory:');
  const database = await newDatabase();
  const store = await database.open();
  after(async () => {
    await store.close();
    await database.drop();
  });
  return store;
}

/** The number of runs of a property: fewer over PostgreSQL, where a run takes longer. */
export const runs = (inMemory: number): number =>
  Math.ceil(STORAGE === 'sqlite' ? inMemory : inMemory / 25);
