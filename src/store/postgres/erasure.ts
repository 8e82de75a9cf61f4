import type { Erasure } from '../../domain/facts.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { mentionsOf, RECORDS_PER_STEP } from '../erasure.ts';
import { tables } from '../tables/tables.ts';
import { asyncTransaction } from './async-transaction.ts';
import type { Connection } from './connection.ts';
import type { ExclusivePool } from './pools.ts';
import { rowsOf } from './rows.ts';
import { statement } from './statement.ts';

/** Whether a record names the member. */
const namesMember = (data: string): string =>
  `$2 IN (${data}::json ->> 'memberId', ${data}::json ->> 'recipientId')`;

const sql = {
  // Whoever has the lock makes the next step.
  next: rowsOf(tables.erasures).select<[string]>(
    'WHERE realm_id = $1 ORDER BY seq LIMIT 1 FOR UPDATE',
  ),
  eraseRecords: statement<never, [string, string, number, number]>(
    `UPDATE journal SET personal = NULL
     WHERE realm_id = $1 AND seq > $3::bigint AND seq <= $4::bigint
       AND personal IS NOT NULL AND ${namesMember('data')}`,
  ),
  moveTo: statement<never, [string, number, number]>(
    'UPDATE erasures SET position = $3::bigint WHERE realm_id = $1 AND seq = $2::bigint',
  ),
  // With the fingerprints, by which the requests could be guessed.
  eraseAnswers: statement<never, [string, ...ReturnType<typeof mentionsOf>]>(
    `UPDATE idempotency_keys SET answer = '', fingerprint = ''
     WHERE realm_id = $1 AND answer IS NOT NULL
       AND (strpos(answer, $2) > 0 OR strpos(answer, $3) > 0 OR strpos(answer, $4) > 0)`,
  ),
  eraseHolds: statement<never, [string, string, number]>(
    `UPDATE holds SET description = NULL
     WHERE realm_id = $1 AND member_id = $2::bigint AND hold_id <= $3::bigint`,
  ),
  eraseChallenges: statement<never, [string, string]>(
    'DELETE FROM challenges WHERE realm_id = $1 AND member_id = $2::bigint',
  ),
  // What a receiver answered to an event of the member may name it.
  eraseDeliveries: statement<never, [string, string, number]>(
    `UPDATE webhook_deliveries d SET answer = NULL
     WHERE realm_id = $1 AND answer IS NOT NULL AND (SELECT ${namesMember('j.data')}
       FROM journal j WHERE j.realm_id = $1 AND j.seq = d.seq AND j.seq <= $3::bigint)`,
  ),
  finish: statement<never, [string, number]>(
    'DELETE FROM erasures WHERE realm_id = $1 AND seq = $2::bigint',
  ),
};

/** What a crash of the server undoes is erased again, so no step waits for the disk. */
export const erasure = (pool: ExclusivePool): Pick<Housekeeping, 'erasePersonalParts'> => ({
  erasePersonalParts: (realmId) =>
    pool.use((connection) =>
      asyncTransaction(connection, async () => {
        const [next] = await connection.query(sql.next, realmId);
        if (next) await step(connection, realmId, next);
        return next !== undefined;
      }),
    ),
});

async function step(connection: Connection, realmId: string, next: Erasure): Promise<void> {
  const { memberId, seq, position } = next;
  const to = Math.min(position + RECORDS_PER_STEP, seq);
  await connection.change(sql.eraseRecords, realmId, memberId, position, to);
  if (to < seq) {
    await connection.change(sql.moveTo, realmId, seq, to);
    return;
  }
  await connection.change(sql.eraseAnswers, realmId, ...mentionsOf(memberId));
  await connection.change(sql.eraseHolds, realmId, memberId, seq);
  await connection.change(sql.eraseChallenges, realmId, memberId);
  await connection.change(sql.eraseDeliveries, realmId, memberId, seq);
  await connection.change(sql.finish, realmId, seq);
}
