import { CLOCK_TOLERANCE_MS } from '../domain/rules/clock.ts';
import { clockFault } from '../store/postgres/readiness.ts';
import { type DatabaseFacts, lastRecordAt } from './facts.ts';
import { about, type Finding } from './finding.ts';

/** Compares the clock with that of the server, and with what was recorded last. */
export function clockFinding({ server, content }: DatabaseFacts, now: number): Finding {
  const { ok, warning, fault } = about('clock');
  const difference = server && clockFault(server.clockErrorMs);
  if (difference) return fault(difference.reason);
  const last = lastRecordAt(content);
  if (last <= now + CLOCK_TOLERANCE_MS) return ok('The clock fits what is recorded.');
  const instant = new Date(last).toISOString();
  return warning(
    `The last record was written when the clock showed ${instant}, which is in the future: it ` +
      'was ahead then, or is behind now. Synchronise it, for example with NTP.',
  );
}
