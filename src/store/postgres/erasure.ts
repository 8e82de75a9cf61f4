import type { ErasureProgress } from '../../domain/facts.ts';
import type { ErasingRealm } from '../../domain/queries.ts';
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
import { tables } from '../tables/tables.ts';
import { asyncTransaction } from './async-transaction.ts';
import type { Connection } from './connection.ts';
import type { ExclusivePool } from './pools.ts';
import { rowsOf, someOf } from './rows.ts';
import { statement } from './statement.ts';

const { rows: ROWS, members: MEMBERS } = ERASURE_STEP;

const sql = {
  // As every writer does: so holds are not written back as they were, nobody else makes the next
  // step, and the removal of a deleted realm waits.
  lock: statement<unknown, [string]>(
    'SELECT 1 FROM realms WHERE realm_id = $1 AND deleted_at IS NULL FOR UPDATE',
  ),
  unfinished: rowsOf(tables.erasures).select<[string]>(
    `WHERE realm_id = $1 AND phase <> 'done' ORDER BY seq LIMIT ${MEMBERS}`,
  ),
  records: statement<PersonalRecord, [string, number, number]>(
    `SELECT seq, type, data::json ->> 'memberId' AS "memberId",
       data::json ->> 'recipientId' AS "recipientId",
       (data::json ->> 'holdId')::bigint AS "holdId", octet_length(personal) AS bytes
     FROM journal WHERE realm_id = $1 AND seq > $2::bigint AND seq <= $3::bigint
       AND personal IS NOT NULL ORDER BY seq`,
  ),
  eraseRecords: statement<never, [string, number[]]>(
    'UPDATE journal SET personal = NULL WHERE realm_id = $1 AND seq = ANY ($2::bigint[])',
  ),
  eraseHolds: statement<never, [string, number[]]>(
    'UPDATE holds SET description = NULL WHERE realm_id = $1 AND hold_id = ANY ($2::bigint[])',
  ),
  answerSizes: statement<{ key: string; bytes: number }, [string, string]>(
    `SELECT idempotency_key AS key, octet_length(answer) AS bytes FROM idempotency_keys
     WHERE realm_id = $1 AND answer IS NOT NULL AND idempotency_key > $2
     ORDER BY idempotency_key LIMIT ${ROWS}`,
  ),
  answers: statement<StoredAnswer, [string, string, string]>(
    `SELECT idempotency_key AS key, seq, answer FROM idempotency_keys
     WHERE realm_id = $1 AND answer IS NOT NULL AND idempotency_key > $2 AND idempotency_key <= $3`,
  ),
  // With the fingerprints, by which the requests could be guessed.
  eraseAnswers: statement<never, [string, string[]]>(
    `UPDATE idempotency_keys SET answer = '', fingerprint = ''
     WHERE realm_id = $1 AND idempotency_key = ANY ($2::text[])`,
  ),
  challenges: statement<
    { nonce: string; memberId: string; usedAt: number | null },
    [string, string]
  >(
    `SELECT ${someOf(tables.challenges, 'nonce', 'memberId', 'usedAt')} FROM challenges
     WHERE realm_id = $1 AND nonce > $2 ORDER BY nonce LIMIT ${ROWS}`,
  ),
  eraseChallenges: statement<never, [string, string[]]>(
    'DELETE FROM challenges WHERE realm_id = $1 AND nonce = ANY ($2::text[])',
  ),
  nextWebhook: statement<{ webhook_id: string }, [string, string]>(
    `SELECT webhook_id FROM webhook_deliveries WHERE realm_id = $1 AND webhook_id > $2
     ORDER BY webhook_id LIMIT 1`,
  ),
  moveTo: statement<never, [string, number[], phase: string, position: string]>(
    `UPDATE erasures SET phase = $3, position = $4
     WHERE realm_id = $1 AND seq = ANY ($2::bigint[])`,
  ),
};

/**
 * Erases what the receiver of a webhook answered to events of members that were erased since, from
 * a delivery on: the answer may name them.
 */
export const eraseDeliveries = statement<never, [realmId: string, webhookId: string, from: number]>(
  `UPDATE webhook_deliveries d SET answer = NULL
   WHERE realm_id = $1 AND webhook_id = $2 AND delivery_id >= $3::bigint AND answer IS NOT NULL
     AND (SELECT EXISTS (SELECT 1 FROM erasures e
         WHERE e.realm_id = $1 AND e.seq >= j.seq AND e.member_id IN
           ((j.data::json ->> 'memberId')::bigint, (j.data::json ->> 'recipientId')::bigint))
       FROM journal j WHERE j.realm_id = $1 AND j.seq = d.seq)`,
);

/** The realms with unfinished erasures. Those that are being removed do not count. */
export const erasingRealms = statement<ErasingRealm, [number]>(
  `SELECT j.realm_id AS "realmId", members, j.at AS since
   FROM (SELECT realm_id, count(*) AS members, min(seq) AS first FROM erasures
     WHERE phase <> 'done' GROUP BY realm_id) e
   JOIN realms r ON r.realm_id = e.realm_id AND r.deleted_at IS NULL
   JOIN journal j ON j.realm_id = e.realm_id AND j.seq = e.first
   LIMIT $1`,
);

type Step = (
  connection: Connection,
  realmId: string,
  pass: ErasurePass,
) => Promise<ErasureProgress>;

const steps: Record<ErasurePass['phase'], Step> = {
  records: async (connection, realmId, pass) => {
    const { after, to } = recordRange(pass);
    const records = await connection.query(sql.records, realmId, after, to);
    const { seqs, holds, next } = recordsToErase(pass, records);
    await connection.change(sql.eraseRecords, realmId, [...seqs]);
    await connection.change(sql.eraseHolds, realmId, [...holds]);
    return next;
  },
  answers: async (connection, realmId, pass) => {
    const { position } = pass;
    const last = lastToRead(await connection.query(sql.answerSizes, realmId, position));
    if (last !== undefined) {
      const answers = await connection.query(sql.answers, realmId, position, last);
      await connection.change(sql.eraseAnswers, realmId, answersToErase(pass, answers));
    }
    return progressAfter('answers', last, 'challenges');
  },
  challenges: async (connection, realmId, pass) => {
    const page = await connection.query(sql.challenges, realmId, pass.position);
    await connection.change(sql.eraseChallenges, realmId, challengesToErase(pass, page));
    return progressAfter('challenges', page.at(-1)?.nonce, 'deliveries');
  },
  // A webhook at a time: the number of its deliveries is limited.
  deliveries: async (connection, realmId, pass) => {
    const [next] = await connection.query(sql.nextWebhook, realmId, pass.position);
    if (next) await connection.change(eraseDeliveries, realmId, next.webhook_id, 0);
    return progressAfter('deliveries', next?.webhook_id, 'done');
  },
  done: async (_connection, _realmId, pass) => pass,
};

/** What a crash of the server undoes is erased again, so no step waits for the disk. */
export const erasure = (pool: ExclusivePool): Pick<Housekeeping, 'erasePersonalParts'> => ({
  erasePersonalParts: (realmId) =>
    pool.useInBackground((connection) =>
      asyncTransaction(connection, async () => {
        const realms = await connection.query(sql.lock, realmId);
        if (realms.length === 0) return false;
        const pass = ErasurePass.of(await connection.query(sql.unfinished, realmId));
        if (!pass) return false;
        const { phase, position } = await steps[pass.phase](connection, realmId, pass);
        await connection.change(sql.moveTo, realmId, pass.seqs, phase, position);
        return true;
      }),
    ),
});
