import { StoreRefusal } from './refusal.ts';

/** Refuses a database that a later program has migrated: this one does not know what it means. */
export function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  const why = `its schema version is ${version}, and this program knows those up to ${known}`;
  throw new StoreRefusal('database-newer', why);
}
