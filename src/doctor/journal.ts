import type { RealmRow } from '../domain/model.ts';
import { tailFault } from '../domain/rules/audit.ts';
import type { Inspection } from '../store/inspection.ts';
import { about, type Finding } from './finding.ts';

/** The last records of each journal that are checked: what damage and crashes would affect. */
const TAIL = 100;
/** Realms with a fault that are listed. */
const MAX_LISTED = 5;

export async function journalFaults(
  inspection: Inspection,
  realms: readonly RealmRow[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const realm of realms) {
    const from = Math.max(0, realm.seq - TAIL);
    // The one before them, which they are chained to, and one that must not be there.
    const records = await inspection.records(realm.id, Math.max(0, from - 1), TAIL + 2);
    const start = from === 0 ? null : (records.shift() ?? null);
    const fault = tailFault(realm, start, records);
    if (fault) faults.push(`${realm.id}: ${fault.detail}`);
    if (faults.length === MAX_LISTED) break;
  }
  return faults;
}

export function journalFindings(realms: number, faults: readonly string[]): Finding[] {
  const { ok, fault } = about('journal');
  if (faults.length === 0) {
    const checked = `The last ${TAIL} records of each realm fit their hashes (realms: ${realms}).`;
    return [ok(`${checked} "npx realmkeep verify" checks all records.`)];
  }
  const advice = 'Run "npx realmkeep verify", and restore a backup if it finds the same.';
  return faults.map((text) => fault(`${text}. ${advice}`));
}
