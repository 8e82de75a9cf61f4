import type { Store } from '../../src/ledger/store.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';
import { storeOn } from '../../src/store/postgres/store.ts';

type Options = Parameters<typeof storeOn>[1];

/** Opens and migrates a database that is no cluster. Any number of processes may have it open. */
export async function openPostgresStore(url: string, options: Options = {}): Promise<Store> {
  await migratePostgres(url);
  return storeOn(new Database(url, options.events), options);
}
