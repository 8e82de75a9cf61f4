import type { DatabaseSync } from 'node:sqlite';
import type { Reader } from '../../domain/queries.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { webhookView } from '../../domain/rules/views.ts';
import { type LeasedWebhook, MAX_DELIVERIES, type WebhookRow } from '../../domain/webhook.ts';
import type { WebhookHousekeeping } from '../../engine/store.ts';
import { hasRealm } from '../has-realm.ts';
import { decode, type SqlValue, type Stored } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import { transaction } from './database.ts';
import { deliveryEraser } from './erasure.ts';
import { bulkInserter, columnsOf, insertionInto, rowByKey, rowsOf, statementsOn } from './rows.ts';

/** Answers the queries about webhooks. */
export function webhookReader(db: DatabaseSync) {
  const webhooks = rowsOf(db, tables.webhooks).select<[string]>(
    'WHERE realm_id = ? ORDER BY webhook_id',
  );
  const webhook = rowByKey(db, tables.webhooks);
  const deliveries = rowsOf(db, tables.deliveries).select<[string, string, number, number]>(
    `WHERE realm_id = ? AND webhook_id = ? AND delivery_id < ?
     ORDER BY delivery_id DESC LIMIT ?`,
  );
  return {
    webhooks: ({ realmId }) => webhooks.all(realmId).map(webhookView),
    webhook: ({ realmId, webhookId }) => webhook.get(realmId, webhookId) ?? null,
    deliveries: ({ realmId, webhookId, before, limit }) => {
      if (!webhook.get(realmId, webhookId)) return null;
      const end = before ?? Number.MAX_SAFE_INTEGER;
      return pageOfSmall(deliveries.all(realmId, webhookId, end, limit + 1), limit);
    },
  } satisfies Partial<Reader>;
}

/** Names a webhook that has deliveries; it may be deleted. */
interface WebhookKey {
  realmId: string;
  webhookId: string;
}

const BEFORE_FIRST: WebhookKey = { realmId: '', webhookId: '' };

/** How many webhooks are looked at, and deliveries removed, while others wait. */
const WEBHOOKS_AT_ONCE = 500;
const STRAYS_AT_ONCE = 4_000;

type LeasedRow = Stored<WebhookRow> & { realmId: string; lastSeq: number };

function statements(db: DatabaseSync) {
  const sql = statementsOn(db);
  return {
    any: sql.value<1, []>('SELECT 1 FROM webhooks LIMIT 1'),
    lease: sql.run<[owner: string, until: number, now: number, sealedBy: string]>(
      `UPDATE webhooks SET lease_owner = ?1, lease_until = ?2
       WHERE paused_at IS NULL AND (lease_owner = ?1 OR coalesce(lease_until, 0) < ?3)
         AND substr(secret, 1, length(?4) + 1) = ?4 || '.' AND ${hasRealm('webhooks')}`,
    ),
    leased: sql.all<LeasedRow, [owner: string, until: number]>(
      `SELECT ${columnsOf(tables.webhooks)}, realm_id AS realmId,
         (SELECT seq FROM realms r WHERE r.realm_id = webhooks.realm_id) AS lastSeq
       FROM webhooks WHERE lease_owner = ? AND lease_until = ?`,
    ),
    release: sql.run<[owner: string]>(
      'UPDATE webhooks SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?',
    ),
    progress: sql.run<SqlValue[]>(
      `UPDATE webhooks
       SET progress_of = ?, position = ?, attempts = ?, failing_since = ?, next_at = ?
       WHERE realm_id = ? AND webhook_id = ? AND lease_owner = ?`,
    ),
    trim: sql.run<[realmId: string, webhookId: string]>(
      `DELETE FROM webhook_deliveries WHERE realm_id = ?1 AND webhook_id = ?2 AND delivery_id <=
         (SELECT delivery_id FROM webhook_deliveries WHERE realm_id = ?1 AND webhook_id = ?2
          ORDER BY delivery_id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
    ),
    nextInRealm: sql.get<WebhookKey, [realmId: string, webhookId: string]>(
      `SELECT realm_id AS realmId, webhook_id AS webhookId FROM webhook_deliveries
       WHERE realm_id = ? AND webhook_id > ? ORDER BY webhook_id LIMIT 1`,
    ),
    firstAfterRealm: sql.get<WebhookKey, [realmId: string]>(
      `SELECT realm_id AS realmId, webhook_id AS webhookId FROM webhook_deliveries
       WHERE realm_id > ? ORDER BY realm_id, webhook_id LIMIT 1`,
    ),
    removeStray: sql.run<[realmId: string, webhookId: string]>(
      `DELETE FROM webhook_deliveries WHERE realm_id = ?1 AND webhook_id = ?2
         AND NOT EXISTS (SELECT 1 FROM webhooks WHERE realm_id = ?1 AND webhook_id = ?2)`,
    ),
  };
}

export function webhookHousekeeping(db: DatabaseSync): WebhookHousekeeping {
  const sql = statements(db);
  const insertion = insertionInto(tables.deliveries, 'ON CONFLICT DO NOTHING');
  const insertDeliveries = bulkInserter(db, insertion);
  const eraseAnswers = deliveryEraser(db);
  return {
    // A service without webhooks never takes the write lock for this.
    leaseWebhooks: ({ owner, sealedBy, ms }) => {
      if (sql.any() === undefined) return [];
      return transaction(db, () => {
        const now = Date.now();
        sql.lease(owner, now + ms, now, sealedBy);
        return sql.leased(owner, now + ms).map(leasedWebhook);
      });
    },
    releaseWebhooks: (owner) => {
      if (sql.any() !== undefined) sql.release(owner);
    },
    saveReports: ({ owner, reports }) =>
      transaction(db, () => {
        for (const { realmId, webhookId, deliveries, ...progress } of reports) {
          const { progressOf, position, attempts, failingSince, nextAt } = progress;
          const state = [progressOf, position, attempts, failingSince, nextAt];
          sql.progress(...state, realmId, webhookId, owner);
          const [first] = deliveries;
          if (!first) continue;
          insertDeliveries(realmId, deliveries);
          // Members may have been erased while the receiver answered.
          eraseAnswers(realmId, webhookId, first.id);
          sql.trim(realmId, webhookId);
        }
      }),
    removeStrayDeliveries: strayRemover(sql),
  };
}

/** Goes from webhook to webhook, in steps: to look at each delivery would take much longer. */
function strayRemover(sql: ReturnType<typeof statements>): () => boolean {
  let last = BEFORE_FIRST;
  return () => {
    let removed = 0;
    for (let looks = 0; looks < WEBHOOKS_AT_ONCE && removed < STRAYS_AT_ONCE; looks++) {
      const { realmId, webhookId } = last;
      const next = sql.nextInRealm(realmId, webhookId) ?? sql.firstAfterRealm(realmId);
      last = next ?? BEFORE_FIRST;
      if (!next) return false;
      removed += sql.removeStray(next.realmId, next.webhookId);
    }
    return true;
  };
}

const leasedWebhook = (row: LeasedRow): LeasedWebhook => ({
  ...decode(tables.webhooks, row),
  realmId: row.realmId,
  lastSeq: row.lastSeq,
});
