import { isProblem } from '@realmkeep/client';
import type { NewKind } from '../text/import-columns.ts';
import { service } from './service.ts';

/** Creates kinds of points, unless they are there already. */
export async function createKinds(realm: string, kinds: readonly NewKind[]): Promise<void> {
  for (const kind of kinds) {
    try {
      await service.realm(realm).createKind({ ...kind });
    } catch (error) {
      if (!isProblem(error) || error.code !== 'realm-point-exists') throw error;
    }
  }
}
