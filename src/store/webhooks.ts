import { type LeasedWebhook, MAX_DELIVERIES, type WebhookReport } from '../domain/webhook.ts';
import { insertInto } from './rows.ts';
import {
  type Asked,
  all,
  ask,
  askChange,
  askWrite,
  change,
  type Operation,
  query,
  run,
  together,
} from './statement.ts';
import { columnsOf, decodeRow } from './table.ts';
import { tables } from './tables.ts';

type Webhook = { realmId: string; webhookId: string };

const COLUMNS = tables.webhooks.read.length;

/** Whether a process can sign for a webhook whose realm is not deleted. */
const CAN_SEND = `substr(secret, 1, length(CAST(:sealedBy AS text)) + 1) = :sealedBy || '.'
  AND paused_at IS NULL
  AND (SELECT r.deleted_at IS NULL FROM realms r WHERE r.realm_id = webhooks.realm_id)`;

const sql = {
  lease: change<{ owner: string; ms: number; sealedBy: string }>(
    ({ now }) =>
      `UPDATE webhooks SET lease_owner = :owner, lease_until = ${now} + CAST(:ms AS bigint)
       WHERE (lease_owner = :owner OR coalesce(lease_until, 0) < ${now}) AND ${CAN_SEND}`,
  ),
  leased: query<LeasedWebhook, { owner: string; sealedBy: string }>(
    (dialect) =>
      `SELECT ${columnsOf(dialect, tables.webhooks)}, realm_id,
         (SELECT seq FROM realms r WHERE r.realm_id = webhooks.realm_id)
       FROM webhooks WHERE lease_owner = :owner AND lease_until > ${dialect.now} AND ${CAN_SEND}`,
    (values) => ({
      ...decodeRow(tables.webhooks, values),
      realmId: values[COLUMNS] as string,
      lastSeq: values[COLUMNS + 1] as number,
    }),
  ),
  release: change<{ owner: string }>(
    'UPDATE webhooks SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = :owner',
  ),
  lock: query<{ found: number }, Webhook>(
    ({ lock }) =>
      `SELECT 1 AS found FROM webhooks
       WHERE realm_id = :realmId AND webhook_id = :webhookId ${lock}`,
  ),
  progress: change(
    `UPDATE webhooks SET progress_of = :progressOf, position = :position, attempts = :attempts,
       failing_since = :failingSince, next_at = :nextAt
     WHERE realm_id = :realmId AND webhook_id = :webhookId AND lease_owner = :owner`,
  ),
  trim: change<Webhook>(
    `DELETE FROM webhook_deliveries
     WHERE realm_id = :realmId AND webhook_id = :webhookId AND delivery_id <=
       (SELECT delivery_id FROM webhook_deliveries
        WHERE realm_id = :realmId AND webhook_id = :webhookId
        ORDER BY delivery_id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
  ),
  // The members of an event are those of its record.
  eraseAnswers: change<Webhook & { from: number }>(
    ({ field, using }) =>
      `UPDATE webhook_deliveries SET answer = NULL
       WHERE realm_id = :realmId AND webhook_id = :webhookId AND delivery_id >= :from
         AND answer IS NOT NULL
         AND (SELECT EXISTS (SELECT 1 FROM erasures e ${using('erasures_by_id')}
             WHERE e.realm_id = :realmId AND e.seq >= j.seq AND e.erased_id IN
               (${field('j.data', 'memberId')}, ${field('j.data', 'recipientId')},
                ${field('j.data', 'personId')}))
           FROM journal j WHERE j.realm_id = :realmId AND j.seq = webhook_deliveries.seq)`,
  ),
};

const insertDeliveries = insertInto(tables.deliveries, 'ON CONFLICT DO NOTHING');

/** By the clock of the database, which processes share. */
export function* leaseWebhooks(lease: {
  owner: string;
  sealedBy: string;
  ms: number;
}): Operation<LeasedWebhook[]> {
  yield* run(sql.lease, lease);
  return yield* all(sql.leased, lease);
}

export function* releaseWebhooks(owner: string): Operation<void> {
  yield* run(sql.release, { owner });
}

/**
 * Stores the progress and the deliveries of webhooks, under the locks of their rows. So none is
 * stored behind the deletion of its webhook, nor behind an erasure, which takes the lock as well.
 * The locks are taken in the order of their keys, as by a lease.
 */
export function* saveReports(work: { owner: string; reports: WebhookReport[] }): Operation<void> {
  const sorted = work.reports.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const locks = sorted.flatMap(({ deliveries: _, ...progress }) => [
    ask(sql.lock, progress),
    askChange(sql.progress, { ...progress, owner: work.owner }),
  ]);
  const found = yield* together(...locks);
  const stored = sorted.filter((_, index) => (found[2 * index] as unknown[]).length > 0);
  yield* together(...stored.flatMap(deliveriesOf));
}

const keyOf = ({ realmId, webhookId }: Webhook): string => `${realmId} ${webhookId}`;

/** Members may have been erased while the receiver answered. */
function deliveriesOf({ realmId, webhookId, deliveries }: WebhookReport): Asked<number>[] {
  const [first] = deliveries;
  if (!first) return [];
  const rows = deliveries.map((row) => ({ realmId, row }));
  return [
    askWrite(insertDeliveries, rows),
    askErasure({ realmId, webhookId, from: first.id }),
    askChange(sql.trim, { realmId, webhookId }),
  ];
}

/**
 * Erases what the receiver of a webhook answered to events of members that were erased since, from
 * a delivery on: the answer may name them.
 */
export const askErasure = (from: Webhook & { from: number }): Asked<number> =>
  askChange(sql.eraseAnswers, from);
