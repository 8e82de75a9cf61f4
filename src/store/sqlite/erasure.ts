import type { DatabaseSync } from 'node:sqlite';
import type { ErasureProgress } from '../../domain/facts.ts';
import {
  answersToErase,
  challengesToErase,
  ERASURE_STEP,
  ErasurePass,
  lastToRead,
  type PersonalRecord,
  progressAfter,
  recordRange,
  recordsToErase,
  type StoredAnswer,
} from '../../domain/rules/erasures.ts';
import type { Housekeeping } from '../../engine/store.ts';
import { hasRealm } from '../has-realm.ts';
import { tables } from '../tables/tables.ts';
import { transaction } from './database.ts';
import { rowsOf, someOf, statementsOn } from './rows.ts';

const { rows: ROWS, members: MEMBERS } = ERASURE_STEP;

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    unfinished: rowsOf(db, tables.erasures).select<[string]>(
      `WHERE realm_id = ? AND phase <> 'done' AND ${hasRealm('erasures')}
       ORDER BY seq LIMIT ${MEMBERS}`,
    ),
    records: sql.all<PersonalRecord, [string, number, number]>(
      `SELECT seq, type, data ->> '$.memberId' AS memberId, data ->> '$.recipientId' AS recipientId,
         data ->> '$.holdId' AS holdId, octet_length(personal) AS bytes
       FROM journal WHERE realm_id = ? AND seq > ? AND seq <= ? AND personal IS NOT NULL
       ORDER BY seq`,
    ),
    eraseRecord: sql.run<[string, number]>(
      'UPDATE journal SET personal = NULL WHERE realm_id = ? AND seq = ?',
    ),
    eraseHold: sql.run<[string, number]>(
      'UPDATE holds SET description = NULL WHERE realm_id = ? AND hold_id = ?',
    ),
    answerSizes: sql.all<{ key: string; bytes: number }, [string, string]>(
      `SELECT idempotency_key AS key, octet_length(answer) AS bytes FROM idempotency_keys
       WHERE realm_id = ? AND answer IS NOT NULL AND idempotency_key > ?
       ORDER BY idempotency_key LIMIT ${ROWS}`,
    ),
    answers: sql.all<StoredAnswer, [string, string, string]>(
      `SELECT idempotency_key AS key, seq, answer FROM idempotency_keys
       WHERE realm_id = ? AND answer IS NOT NULL
         AND idempotency_key > ? AND idempotency_key <= ?`,
    ),
    // With the fingerprint, by which the request could be guessed.
    eraseAnswer: sql.run<[string, string]>(
      `UPDATE idempotency_keys SET answer = '', fingerprint = ''
       WHERE realm_id = ? AND idempotency_key = ?`,
    ),
    challenges: sql.all<
      { nonce: string; memberId: string; usedAt: number | null },
      [string, string]
    >(
      `SELECT ${someOf(tables.challenges, 'nonce', 'memberId', 'usedAt')} FROM challenges
       WHERE realm_id = ? AND nonce > ? ORDER BY nonce LIMIT ${ROWS}`,
    ),
    eraseChallenge: sql.run<[string, string]>(
      'DELETE FROM challenges WHERE realm_id = ? AND nonce = ?',
    ),
    nextWebhook: sql.value<string, [string, string]>(
      `SELECT webhook_id FROM webhook_deliveries WHERE realm_id = ? AND webhook_id > ?
       ORDER BY webhook_id LIMIT 1`,
    ),
    eraseDeliveries: deliveryEraser(db),
    moveTo: sql.run<[phase: string, position: string, string, number]>(
      'UPDATE erasures SET phase = ?, position = ? WHERE realm_id = ? AND seq = ?',
    ),
  };
}

/**
 * Erases what the receiver of a webhook answered to events of members that were erased since, from
 * a delivery on: the answer may name them.
 */
export const deliveryEraser = (db: DatabaseSync) =>
  statementsOn(db).run<[realmId: string, webhookId: string, from: number]>(
    `UPDATE webhook_deliveries SET answer = NULL
     WHERE realm_id = ?1 AND webhook_id = ?2 AND delivery_id >= ?3 AND answer IS NOT NULL
       AND EXISTS (SELECT 1 FROM journal j CROSS JOIN erasures e INDEXED BY erasures_by_member
         WHERE j.realm_id = ?1 AND j.seq = webhook_deliveries.seq
           AND e.realm_id = ?1 AND e.seq >= j.seq
           AND e.member_id IN (CAST(j.data ->> '$.memberId' AS INTEGER),
             CAST(j.data ->> '$.recipientId' AS INTEGER)))`,
  );

/** The realms with unfinished erasures. Those that are being removed do not count. */
export const erasingRealms = `SELECT realmId, members,
    (SELECT at FROM journal WHERE realm_id = realmId AND seq = first) AS since
  FROM (SELECT realm_id AS realmId, count(*) AS members, min(seq) AS first FROM erasures
        WHERE phase <> 'done' AND ${hasRealm('erasures')} GROUP BY realm_id)
  LIMIT ?`;

type Step = (realmId: string, pass: ErasurePass) => ErasureProgress;

export function erasure(db: DatabaseSync): Pick<Housekeeping, 'erasePersonalParts'> {
  const sql = statements(db);
  const steps: Record<ErasurePass['phase'], Step> = {
    records: (realmId, pass) => {
      const { after, to } = recordRange(pass);
      const { seqs, holds, next } = recordsToErase(pass, sql.records(realmId, after, to));
      for (const seq of seqs) sql.eraseRecord(realmId, seq);
      for (const holdId of holds) sql.eraseHold(realmId, holdId);
      return next;
    },
    answers: (realmId, pass) => {
      const last = lastToRead(sql.answerSizes(realmId, pass.position));
      if (last !== undefined) {
        const answers = sql.answers(realmId, pass.position, last);
        for (const key of answersToErase(pass, answers)) sql.eraseAnswer(realmId, key);
      }
      return progressAfter('answers', last, 'challenges');
    },
    challenges: (realmId, pass) => {
      const page = sql.challenges(realmId, pass.position);
      for (const nonce of challengesToErase(pass, page)) sql.eraseChallenge(realmId, nonce);
      return progressAfter('challenges', page.at(-1)?.nonce, 'deliveries');
    },
    // A webhook at a time: the number of its deliveries is limited.
    deliveries: (realmId, pass) => {
      const webhookId = sql.nextWebhook(realmId, pass.position);
      if (webhookId !== undefined) sql.eraseDeliveries(realmId, webhookId, 0);
      return progressAfter('deliveries', webhookId, 'done');
    },
    done: (_realmId, pass) => pass,
  };
  return {
    erasePersonalParts: (realmId) =>
      transaction(db, () => {
        const pass = ErasurePass.of(sql.unfinished.all(realmId));
        if (!pass) return false;
        const { phase, position } = steps[pass.phase](realmId, pass);
        for (const seq of pass.seqs) sql.moveTo(phase, position, realmId, seq);
        return true;
      }),
  };
}
