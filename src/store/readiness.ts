import type { StorageFault } from '../domain/queries.ts';

export const NOT_MIGRATED: StorageFault = {
  check: 'storage',
  reason: 'The database is of an older version than this program. Run "npx realmkeep migrate".',
};
