import { signal } from '@preact/signals';
import { isProblem, type RealmHandle, type Verification } from '@realmkeep/client';
import { isRefused } from '../api/faults.ts';
import { pause } from './pause.ts';

/**
 * The last check of each realm's journal, as long as the page is open, or why it could not be
 * followed to its end.
 */
export const checks = signal<Record<string, Verification | Error>>({});

const LOOK_EVERY_MS = 400;
/** A check belongs to a process. Behind a proxy others may be asked, too, which do not know it. */
const MOST_UNKNOWN = 10;

/** Starts a check, which is followed to its end whatever view is shown. */
export async function startCheck(realm: RealmHandle): Promise<void> {
  const started = await realm.startVerification();
  keep(realm.id, started);
  void follow(realm, started.id);
}

export const isOver = ({ status }: Verification): boolean =>
  status === 'done' || status === 'failed';

const keep = (realm: string, check: Verification | Error): void => {
  checks.value = { ...checks.value, [realm]: check };
};

/** Whether it is the last one of the realm, and goes on. */
function isUnderWay(realm: string, id: string): boolean {
  const last = checks.value[realm];
  return last !== undefined && !(last instanceof Error) && last.id === id && !isOver(last);
}

async function follow(realm: RealmHandle, id: string): Promise<void> {
  for (let unknown = 0; isUnderWay(realm.id, id); await pause(LOOK_EVERY_MS)) {
    const latest = await realm.getVerification(id).catch((error: Error) => error);
    if (!isUnderWay(realm.id, id)) return;
    if (!(latest instanceof Error)) {
      unknown = 0;
      keep(realm.id, latest);
    } else if (isUnknown(latest)) {
      unknown += 1;
      if (unknown === MOST_UNKNOWN) keep(realm.id, new Error(INTERRUPTED));
    } else if (isRefused(latest)) {
      // Otherwise the service is away or busy, which the frame says.
      keep(realm.id, latest);
    }
  }
}

const INTERRUPTED = 'The service was restarted during the check. Start another one.';

const isUnknown = (error: unknown): boolean =>
  isProblem(error) && error.code === 'verification-not-found';
