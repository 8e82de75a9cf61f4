import type { Verdict, Verification } from '../domain/rules/audit.ts';
import { Unavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';

/** The pauses between two looks at a check: short at first, since most realms are small. */
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 200;

/**
 * Starts a check of a realm and waits for its end, in short calls: no thread and no connection is
 * occupied meanwhile. `onProgress` may throw to stop waiting; the check goes on. Returns null if
 * there is no such realm.
 */
export async function followVerification(
  ledger: Ledger,
  realmId: string,
  onProgress: (check: Verification) => void,
): Promise<Verdict | null> {
  const realm = await ledger.query('realm', { realmId });
  if (realm === null) return null;
  const { createdAt } = realm;
  let check: Verification | null = await ledger.query('startVerification', { realmId, createdAt });
  const { id } = check;
  let pauseMs = FIRST_PAUSE_MS;
  while (check?.status === 'queued' || check?.status === 'running') {
    onProgress(check);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    check = await ledger.query('verification', { realmId, createdAt, id });
  }
  if (check?.status === 'done') return check.result;
  throw new Unavailable('storage-unavailable', 'the check could not be completed');
}
