import type { ErasurePhase, ErasureProgress } from '../domain/facts.ts';
import type { ErasingRealm } from '../domain/queries.ts';
import {
  answersToErase,
  challengesToErase,
  ErasurePass,
  type PersonalRecord,
  progressAfter,
  ROWS_PER_STEP,
  recordRange,
  recordsToErase,
  type StoredAnswer,
} from '../domain/rules/erasures.ts';
import { lockRealm, selectRows } from './rows.ts';
import {
  all,
  ask,
  askChange,
  change,
  first,
  type Operation,
  query,
  run,
  together,
} from './statement.ts';
import { tables } from './tables.ts';
import { askErasure } from './webhooks.ts';

/** The answer to a batch is a long text. */
const ANSWERS_PER_STEP = 200;

type After = { realmId: string; after: string };

const find = {
  unfinished: selectRows(
    tables.erasures,
    ({ using }) => `${using('erasures_unfinished')}
      WHERE realm_id = :realmId AND phase <> 'done' ORDER BY seq LIMIT ${ROWS_PER_STEP}`,
  ),
  records: query<PersonalRecord, { realmId: string; after: number; to: number }>(
    ({ field }) =>
      `SELECT seq, type, ${field('data', 'memberId')} AS "memberId",
         ${field('data', 'recipientId')} AS "recipientId",
         ${field('data', 'personId')} AS "personId",
         CAST(${field('data', 'holdId')} AS bigint) AS "holdId",
         ${field('personal', 'reference')} AS reference
       FROM journal WHERE realm_id = :realmId AND seq > :after AND seq <= :to
         AND personal IS NOT NULL ORDER BY seq`,
  ),
  answers: query<StoredAnswer, After>(
    `SELECT idempotency_key AS key, seq, answer FROM idempotency_keys
     WHERE realm_id = :realmId AND answer IS NOT NULL AND idempotency_key > :after
     ORDER BY idempotency_key LIMIT ${ANSWERS_PER_STEP}`,
  ),
  challenges: query<{ nonce: string; memberId: string; usedAt: number | null }, After>(
    `SELECT nonce, CAST(member_id AS TEXT) AS "memberId", used_at AS "usedAt" FROM challenges
     WHERE realm_id = :realmId AND nonce > :after ORDER BY nonce LIMIT ${ROWS_PER_STEP}`,
  ),
  nextWebhook: query<{ id: string }, After>(
    ({ lock }) =>
      `SELECT webhook_id AS id FROM webhooks WHERE realm_id = :realmId AND webhook_id > :after
       ORDER BY webhook_id LIMIT 1 ${lock}`,
  ),
};

const erase = {
  records: change<{ realmId: string; seqs: number[] }>(
    ({ isIn }) =>
      `UPDATE journal SET personal = NULL
       WHERE realm_id = :realmId AND ${isIn('seq', ':seqs', 'bigint')}`,
  ),
  holds: change<{ realmId: string; holds: number[] }>(
    ({ isIn }) =>
      `UPDATE holds SET description = NULL, reference = NULL, metadata = NULL
       WHERE realm_id = :realmId AND ${isIn('hold_id', ':holds', 'bigint')}`,
  ),
  references: change<{ realmId: string; references: string[]; seqs: number[] }>(
    ({ isIn }) =>
      `DELETE FROM movement_references WHERE realm_id = :realmId
         AND ${isIn('reference', ':references', 'text')} AND ${isIn('seq', ':seqs', 'bigint')}`,
  ),
  // With the fingerprints, by which the requests could be guessed.
  answers: change<{ realmId: string; keys: string[] }>(
    ({ isIn }) =>
      `UPDATE idempotency_keys SET answer = '', fingerprint = ''
       WHERE realm_id = :realmId AND ${isIn('idempotency_key', ':keys', 'text')}`,
  ),
  challenges: change<{ realmId: string; nonces: string[] }>(
    ({ isIn }) =>
      `DELETE FROM challenges WHERE realm_id = :realmId AND ${isIn('nonce', ':nonces', 'text')}`,
  ),
};

const moveTo = change<{ realmId: string; seqs: number[]; phase: string; position: string }>(
  ({ isIn }) =>
    `UPDATE erasures SET phase = :phase, position = :position
     WHERE realm_id = :realmId AND ${isIn('seq', ':seqs', 'bigint')}`,
);

type Step = (realmId: string, pass: ErasurePass) => Operation<ErasureProgress>;

type UnfinishedPhase = Exclude<ErasurePhase, 'done'>;

const steps: Record<UnfinishedPhase, Step> = {
  *records(realmId, pass) {
    const records = yield* all(find.records, { realmId, ...recordRange(pass) });
    const found = recordsToErase(pass, records);
    const [seqs, references] = [[...found.seqs], [...found.references]];
    yield* together(
      askChange(erase.records, { realmId, seqs }),
      askChange(erase.holds, { realmId, holds: [...found.holds] }),
      askChange(erase.references, { realmId, references, seqs }),
    );
    return found.next;
  },
  *answers(realmId, pass) {
    const page = yield* all(find.answers, { realmId, after: pass.position });
    yield* run(erase.answers, { realmId, keys: answersToErase(pass, page) });
    return progressAfter('answers', page.at(-1)?.key, 'challenges');
  },
  *challenges(realmId, pass) {
    const page = yield* all(find.challenges, { realmId, after: pass.position });
    yield* run(erase.challenges, { realmId, nonces: challengesToErase(pass, page) });
    return progressAfter('challenges', page.at(-1)?.nonce, 'deliveries');
  },
  // A webhook at a time: the number of its deliveries is limited. Those that are being stored are
  // waited for.
  *deliveries(realmId, pass) {
    const next = yield* first(find.nextWebhook, { realmId, after: pass.position });
    if (next) yield* together(askErasure({ realmId, webhookId: next.id, from: 0 }));
    return progressAfter('deliveries', next?.id, 'done');
  },
};

export function* erasePersonalParts(realmId: string): Operation<boolean> {
  const [locked, unfinished] = yield* together(
    ask(lockRealm, { realmId }),
    ask(find.unfinished, { realmId }),
  );
  const [oldest] = unfinished;
  if (!oldest || locked.length === 0) return false;
  const pass = new ErasurePass(oldest, unfinished);
  const { phase, position } = yield* steps[pass.phase as UnfinishedPhase](realmId, pass);
  yield* run(moveTo, { realmId, seqs: pass.seqs, phase, position });
  return true;
}

const findErasing = query<ErasingRealm, { limit: number }>(
  `SELECT realm_id AS "realmId", erasing AS "members",
     (SELECT at FROM journal j WHERE j.realm_id = e.realm_id AND j.seq = first_seq) AS since
   FROM (SELECT realm_id, count(*) AS erasing, min(seq) AS first_seq FROM erasures
     WHERE phase <> 'done' GROUP BY realm_id) e
   WHERE (SELECT r.deleted_at IS NULL FROM realms r WHERE r.realm_id = e.realm_id)
   LIMIT :limit`,
);

/** The realms with unfinished erasures. Those that are being removed do not count. */
export const erasingRealms = (page: { limit: number }): Operation<ErasingRealm[]> =>
  all(findErasing, page);
