import type { DatabaseSync } from 'node:sqlite';
import type { Erasure } from '../../domain/facts.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { mentionsOf, RECORDS_PER_STEP } from '../erasure.ts';
import { tables } from '../tables/tables.ts';
import { transaction } from './database.ts';
import { rowsOf, statementsOn } from './rows.ts';

/** Whether a record names the member. */
const NAMES_MEMBER = "?2 IN (data ->> '$.memberId', data ->> '$.recipientId')";

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    next: rowsOf(db, tables.erasures).select<[string]>('WHERE realm_id = ? ORDER BY seq LIMIT 1'),
    eraseRecords: sql.run<[string, string, number, number]>(
      `UPDATE journal SET personal = NULL WHERE realm_id = ?1 AND seq > ?3 AND seq <= ?4
         AND personal IS NOT NULL AND ${NAMES_MEMBER}`,
    ),
    moveTo: sql.run<[string, number, number]>(
      'UPDATE erasures SET position = ?3 WHERE realm_id = ?1 AND seq = ?2',
    ),
    // With the fingerprints, by which the requests could be guessed.
    eraseAnswers: sql.run<[string, ...ReturnType<typeof mentionsOf>]>(
      `UPDATE idempotency_keys SET answer = '', fingerprint = ''
       WHERE realm_id = ?1 AND answer IS NOT NULL
         AND (instr(answer, ?2) > 0 OR instr(answer, ?3) > 0 OR instr(answer, ?4) > 0)`,
    ),
    eraseHolds: sql.run<[string, string, number]>(
      `UPDATE holds INDEXED BY holds_by_member SET description = NULL
       WHERE realm_id = ? AND member_id = ? AND hold_id <= ?`,
    ),
    // By no index: they are deleted after an hour anyway, so a realm has few.
    eraseChallenges: sql.run<[string, string]>(
      'DELETE FROM challenges WHERE realm_id = ? AND member_id IS ?',
    ),
    // What a receiver answered to an event of the member may name it.
    eraseDeliveries: sql.run<[string, string, number]>(
      `UPDATE webhook_deliveries SET answer = NULL
       WHERE realm_id = ?1 AND answer IS NOT NULL AND EXISTS (SELECT 1 FROM journal j
         WHERE j.realm_id = ?1 AND j.seq = webhook_deliveries.seq AND j.seq <= ?3
           AND ${NAMES_MEMBER})`,
    ),
    finish: sql.run<[string, number]>('DELETE FROM erasures WHERE realm_id = ? AND seq = ?'),
  };
}

export function erasure(db: DatabaseSync): Pick<Housekeeping, 'erasePersonalParts'> {
  const sql = statements(db);
  const step = (realmId: string, { memberId, seq, position }: Erasure): void => {
    const to = Math.min(position + RECORDS_PER_STEP, seq);
    sql.eraseRecords(realmId, memberId, position, to);
    if (to < seq) {
      sql.moveTo(realmId, seq, to);
      return;
    }
    sql.eraseAnswers(realmId, ...mentionsOf(memberId));
    sql.eraseHolds(realmId, memberId, seq);
    sql.eraseChallenges(realmId, memberId);
    sql.eraseDeliveries(realmId, memberId, seq);
    sql.finish(realmId, seq);
  };
  return {
    erasePersonalParts: (realmId) =>
      transaction(db, () => {
        const next = sql.next.get(realmId);
        if (next) step(realmId, next);
        return next !== undefined;
      }),
  };
}
