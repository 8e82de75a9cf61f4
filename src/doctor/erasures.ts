import type { ErasingRealm } from '../domain/queries.ts';
import { about, type Finding } from './finding.ts';

/** A service that runs is done with most erasures sooner. */
const EXPECTED_MS = 60_000;

/** Members that were to be erased, and are not yet. */
export function erasureFinding(realms: readonly ErasingRealm[], now: number): Finding {
  const { ok, warning } = about('erasures');
  const [first] = realms.toSorted((a, b) => a.since - b.since);
  if (!first) return ok('No erasure of a member is unfinished.');
  const members = realms.reduce((sum, each) => sum + each.members, 0);
  const since = new Date(first.since).toISOString();
  const place = `first in ${first.realmId}, at ${since}`;
  const found = `Members that are being erased: ${members}, ${place}.`;
  if (now - first.since < EXPECTED_MS) return ok(found);
  return warning(`${found} A running service continues; if one runs, its log says why it fails.`);
}
