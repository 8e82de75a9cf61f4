import { realmkeep } from '../soak/service-node.ts';
import { readConfig } from '../src/config/config.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { openLedger } from '../src/storage/storage.ts';
import { LIGHT_MEMBERS, LIGHT_REALM } from './light-realm.ts';
import { faultsOf, type Write } from './writes.ts';

const SHOWN = 3;

/**
 * Checks, once the service has stopped, that nothing was lost, doubled or miscounted, given the
 * writes of each realm.
 */
export async function auditBooks(
  databaseUrl: string,
  written: ReadonlyMap<string, readonly Write[]>,
): Promise<string[]> {
  const faults: string[] = [];
  const { code, stdout, stderr } = await realmkeep(['verify'], databaseUrl);
  if (code !== 0) faults.push(`verify found a fault: ${stdout}${stderr}`);
  const ledger = await openLedger(readConfig({ DATABASE_URL: databaseUrl }).database);
  const lost: string[] = [];
  for (const [realmId, writes] of written) {
    lost.push(...(await faultsOf(writes, ledger, realmId)));
  }
  faults.push(...lost.slice(0, SHOWN));
  if (lost.length > SHOWN) faults.push(`${lost.length - SHOWN} more writes are wrong`);
  faults.push(...(await balanceFaults(ledger, written.get(LIGHT_REALM) ?? [])));
  await ledger.close();
  return faults;
}

/** Each write of the light realm is a credit of one point. */
async function balanceFaults(ledger: Ledger, writes: readonly Write[]): Promise<string[]> {
  let sum = 0;
  for (let id = 1; id <= LIGHT_MEMBERS; id++) {
    const member = await ledger.query('member', {
      realmId: LIGHT_REALM,
      memberId: String(id),
      now: Date.now(),
    });
    sum += member?.balances.points ?? 0;
  }
  const count = (fate: Write['fate']): number => writes.filter((one) => one.fate === fate).length;
  const [least, most] = [count('done'), count('done') + count('unknown')];
  if (sum >= least && sum <= most) return [];
  return [`the light realm has ${sum} points, but was told of ${least} to ${most}`];
}
