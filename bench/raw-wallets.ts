import { join } from 'node:path';
import { openForReading } from '../src/store/sqlite/database.ts';
import { answerLines } from './answering.ts';
import { CHECKS, walletRealm, walletsOf } from './wallets.ts';

/**
 * The time that SQLite alone takes for the look-ups of a check: a loop over a prepared statement,
 * on the file of the service, in one transaction, which halves the time. No HTTP, no JSON, no
 * threads. It runs in its own process: each line of its input is the number of a check.
 */
export interface RawAnswer {
  ms: number;
  included: number;
}

if (import.meta.main) {
  const db = openForReading(join(process.argv[2] ?? '.', 'realmkeep.db'));
  const find = db.prepare(
    `SELECT CAST(member_id AS TEXT) AS member_id, verified_at IS NOT NULL AS verified
     FROM wallets WHERE realm_id = ? AND wallet_key = ?`,
  );
  const checks = Array.from({ length: CHECKS }, (_, check) => walletsOf(check));
  answerLines('ready', async (line): Promise<RawAnswer> => {
    const asked = checks[Number(line)] ?? [];
    const start = performance.now();
    db.exec('BEGIN');
    const found = asked.map((wallet) => find.get(walletRealm.realmId, wallet));
    db.exec('COMMIT');
    const ms = performance.now() - start;
    return { ms, included: found.filter((row) => row !== undefined).length };
  });
}
