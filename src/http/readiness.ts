import type { Logger } from 'pino';
import type { StorageFault } from '../domain/queries.ts';
import type { UnavailableReason } from '../ledger/errors.ts';
import type { Services, Status } from './services.ts';

/** How old the storage's answer may be: anybody may probe, and each probe would query it. */
const MAX_AGE_MS = 1_000;

const UNREACHABLE: StorageFault = { check: 'storage', reason: 'The database cannot be reached.' };

/** Reads may go on: each call is answered by what it finds. */
const outages: Partial<Record<UnavailableReason, string>> = {
  'storage-full': 'The disk of the database is full: no change is accepted until there is space.',
};
const NOT_WRITABLE = 'The database accepts no changes: its disk fails, or is read-only.';

/** What keeps the service from serving callers, in words; nothing if it is ready. */
export function readinessOf(
  { ledger, status }: Services,
  logger: Logger,
): () => Promise<StorageFault[]> {
  let known = '';
  const askStorage = async (): Promise<StorageFault[]> => {
    const faults = await ledger.query('ready', null).catch(() => [UNREACHABLE]);
    const reason = faults.map((fault) => fault.reason).join(' ');
    if (reason !== known) {
      known = reason;
      if (reason === '') logger.info('ready again');
      else logger.warn({ reason }, 'not ready');
    }
    return faults;
  };
  let latest: Promise<StorageFault[]> | null = null;
  let expiresAt = 0;
  const storageFaults = (): Promise<StorageFault[]> => {
    if (latest !== null && performance.now() < expiresAt) return latest;
    expiresAt = Number.POSITIVE_INFINITY;
    latest = askStorage().finally(() => {
      expiresAt = performance.now() + MAX_AGE_MS;
    });
    return latest;
  };
  return async () => {
    if (status.isStopping) return [{ check: 'storage', reason: 'The service is stopping.' }];
    const faults = withOutage(await storageFaults(), status.outage);
    if (status.damage === null) return faults;
    const reason = `The database file is damaged: ${status.damage}. Restore a copy of it.`;
    return [...faults, { check: 'integrity', reason }];
  };
}

/** An outage is known at once; that the database cannot be reached says more. */
function withOutage(faults: StorageFault[], outage: Status['outage']): StorageFault[] {
  if (outage === null || faults.some(({ check }) => check === 'storage')) return faults;
  const reason = outages[outage.reason] ?? NOT_WRITABLE;
  return [...faults, { check: 'storage', reason }];
}
