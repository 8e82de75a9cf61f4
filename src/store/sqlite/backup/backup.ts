import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreRefusal } from '../../refusal.ts';
import { createFolder } from '../database.ts';
import { requireSpace, sizeOf } from '../space.ts';
import { copyDatabase, type OnCopyProgress, type RealmEnd, verifyFile } from './copy.ts';
import { Draft, removeAbandonedDrafts } from './draft.ts';

export interface Backup {
  path: string;
  bytes: number;
  realms: RealmEnd[];
}

/**
 * Backs up the main database file, which is all that cannot be derived; the projections can. The
 * backup appears under its name when it is complete, verified and on disk.
 */
export async function backUp(
  from: string,
  to: string,
  onProgress: OnCopyProgress,
): Promise<Backup> {
  createFolder(dirname(to));
  removeAbandonedDrafts(dirname(to));
  if (existsSync(to)) throw new StoreRefusal('backup-exists', to);
  requireSpace(dirname(to), sizeOf(from));
  using draft = new Draft(to);
  await copyDatabase(from, draft.path, onProgress);
  const { realms, fault } = await verifyFile(draft.path, onProgress);
  if (fault !== null) throw new StoreRefusal('copy-faulty', fault);
  const { size: bytes } = statSync(draft.path);
  draft.publish();
  return { path: to, bytes, realms };
}
