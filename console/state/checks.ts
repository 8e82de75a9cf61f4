import { signal } from '@preact/signals';
import { isProblem, type RealmHandle, type Verification } from '@realmkeep/client';
import { isRefused } from '../api/faults.ts';
import { pause } from './pause.ts';

/** The last check of each realm's journal, as long as the page is open. */
export const checks = signal<Record<string, Verification>>({});

const LOOK_EVERY_MS = 400;
/** A check belongs to a process. Behind a proxy others may be asked, too, which do not know it. */
const MOST_UNKNOWN = 10;

export const keepCheck = (realm: string, check: Verification): void => {
  checks.value = { ...checks.value, [realm]: check };
};

function dropCheck(realm: string): void {
  const { [realm]: _dropped, ...others } = checks.value;
  checks.value = others;
}

export const isOver = ({ status }: Verification): boolean =>
  status === 'done' || status === 'failed';

/** Looks at a check until it is over. Rejects if nobody knows it any more. */
export async function followCheck(
  realm: RealmHandle,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for (let unknown = 0; !signal.aborted; await pause(LOOK_EVERY_MS, signal)) {
    try {
      const latest = await realm.getVerification(id, { signal });
      if (signal.aborted) return;
      keepCheck(realm.id, latest);
      if (isOver(latest)) return;
      unknown = 0;
    } catch (error) {
      // Unless it is refused, the service is away or busy, which the frame says.
      if (signal.aborted || !isRefused(error)) continue;
      unknown += 1;
      if (isUnknown(error) && unknown < MOST_UNKNOWN) continue;
      dropCheck(realm.id);
      throw isUnknown(error) ? new Error(INTERRUPTED) : error;
    }
  }
}

const INTERRUPTED = 'The service was restarted during the check. Start another one.';

const isUnknown = (error: unknown): boolean =>
  isProblem(error) && error.code === 'verification-not-found';
