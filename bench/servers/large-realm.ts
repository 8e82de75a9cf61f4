import { seedLargeRealm } from '../large-realm.ts';
import { million } from '../readings.ts';
import { database, progress, serve } from './service.ts';

/** The service with one realm of a million members. */
const key = await seedLargeRealm(database, million.realmId, million.members, progress);
await serve(async () => ({ [million.realmId]: key }));
