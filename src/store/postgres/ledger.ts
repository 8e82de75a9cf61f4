import { InProcessLedger } from '../../ledger/in-process-ledger.ts';
import { watched } from '../../ledger/outage.ts';
import type { Availability } from '../../ledger/store.ts';
import { readCluster } from './citus/catalogue.ts';
import { Cluster } from './citus/cluster.ts';
import { Database } from './database.ts';
import { migratePostgres } from './migrate.ts';
import { type LedgerOptions, type PostgresLedger, storeOn } from './store.ts';

export { refuseOthers } from './database.ts';
export { inspectPostgres } from './inspection.ts';
export { distributePostgres, migratePostgres } from './migrate.ts';
export type { PostgresLedger } from './store.ts';
export { vacuumPostgres } from './vacuum.ts';

/** Opens and migrates the database, which may be a cluster. */
export async function openPostgresLedger(
  url: string,
  options: LedgerOptions = {},
): Promise<PostgresLedger> {
  await migratePostgres(url);
  const catalogue = await readCluster(url);
  if (catalogue) return new Cluster(url, catalogue, options);
  const store = watched(storeOn(new Database(url, options.events), options));
  const ledger = new InProcessLedger(store, options.clock, options.onTimed);
  return Object.assign(ledger, {
    reader: store.reader,
    availability: store.availability as Availability,
  });
}
