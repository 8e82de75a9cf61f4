import type { Reader } from '../../domain/queries.ts';
import { pageOfSmall } from '../../domain/rules/pages.ts';
import { webhookView } from '../../domain/rules/views.ts';
import {
  type Delivery,
  type LeasedWebhook,
  MAX_DELIVERIES,
  type WebhookReport,
  type WebhookRow,
} from '../../domain/webhook.ts';
import type { WebhookHousekeeping } from '../../engine/store.ts';
import { decode, type Stored } from '../tables/table.ts';
import { tables } from '../tables/tables.ts';
import type { Connection } from './connection.ts';
import { eraseDeliveries } from './erasure.ts';
import type { SharedPool } from './pools.ts';
import { columnsOf, rowsOf } from './rows.ts';
import { arrayText, type Sql, statement } from './statement.ts';
import { insertApart } from './writes.ts';

/** `now()`, because a cluster refuses functions that differ from row to row in an update. */
const NOW = '(extract(epoch FROM now()) * 1000)::bigint';

/** As `hasRealm`, but never planned as a join, which would read all realms. */
const HAS_REALM = `(SELECT r.deleted_at IS NULL FROM realms r
  WHERE r.realm_id = webhooks.realm_id)`;

type LeasedRow = Stored<WebhookRow> & { realmId: string; lastSeq: number };

const sql = {
  webhooks: rowsOf(tables.webhooks).select<[string]>('WHERE realm_id = $1 ORDER BY webhook_id'),
  webhook: rowsOf(tables.webhooks).select<[string, string]>(
    'WHERE realm_id = $1 AND webhook_id = $2',
  ),
  deliveries: rowsOf(tables.deliveries).select<[string, string, number, number]>(
    `WHERE realm_id = $1 AND webhook_id = $2 AND delivery_id < $3::bigint
     ORDER BY delivery_id DESC LIMIT $4`,
  ),
  lease: statement<never, [owner: string, ms: number, sealedBy: string]>(
    `UPDATE webhooks SET lease_owner = $1, lease_until = ${NOW} + $2::bigint
     WHERE paused_at IS NULL AND (lease_owner = $1 OR coalesce(lease_until, 0) < ${NOW})
       AND starts_with(secret, $3 || '.') AND ${HAS_REALM}`,
  ),
  leased: statement<LeasedRow, [owner: string, sealedBy: string]>(
    `SELECT ${columnsOf(tables.webhooks)}, realm_id AS "realmId",
       (SELECT seq FROM realms r WHERE r.realm_id = webhooks.realm_id) AS "lastSeq"
     FROM webhooks WHERE lease_owner = $1 AND paused_at IS NULL AND lease_until > ${NOW}
       AND starts_with(secret, $2 || '.') AND ${HAS_REALM}`,
  ),
  release: statement<never, [owner: string]>(
    'UPDATE webhooks SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = $1',
  ),
  progress: statement<never, Sql[]>(
    `UPDATE webhooks SET progress_of = $3::bigint, position = $4::bigint, attempts = $5::bigint,
       failing_since = $6::bigint, next_at = $7::bigint
     WHERE realm_id = $1 AND webhook_id = $2 AND lease_owner = $8`,
  ),
  trim: statement<never, [realmId: string, webhookId: string]>(
    `DELETE FROM webhook_deliveries WHERE realm_id = $1 AND webhook_id = $2 AND delivery_id <=
       (SELECT delivery_id FROM webhook_deliveries WHERE realm_id = $1 AND webhook_id = $2
        ORDER BY delivery_id DESC LIMIT 1 OFFSET ${MAX_DELIVERIES})`,
  ),
  removeStray: statement<never, []>(
    `DELETE FROM webhook_deliveries WHERE NOT EXISTS (SELECT 1 FROM webhooks w
       WHERE w.realm_id = webhook_deliveries.realm_id
         AND w.webhook_id = webhook_deliveries.webhook_id)`,
  ),
};

const insertDeliveries = insertApart(tables.deliveries, ' ON CONFLICT DO NOTHING');

type WebhookReader = Pick<Reader, 'webhooks' | 'webhook' | 'deliveries'>;

/** Answers the queries about webhooks. */
export function webhookReader(readers: SharedPool): WebhookReader {
  return {
    webhooks: async ({ realmId }) => (await readers.query(sql.webhooks, realmId)).map(webhookView),
    webhook: ({ realmId, webhookId }) => readers.first(sql.webhook, realmId, webhookId),
    deliveries: async ({ realmId, webhookId, before, limit }) => {
      if (!(await readers.first(sql.webhook, realmId, webhookId))) return null;
      const end = before ?? Number.MAX_SAFE_INTEGER;
      const found = await readers.query(sql.deliveries, realmId, webhookId, end, limit + 1);
      return pageOfSmall(found, limit);
    },
  };
}

/** All of these are idempotent, so they are repeated when the connection drops. */
export function webhookHousekeeping(readers: SharedPool): WebhookHousekeeping {
  return {
    leaseWebhooks: ({ owner, sealedBy, ms }) =>
      readers.use(async (connection) => {
        await connection.change(sql.lease, owner, ms, sealedBy);
        return (await connection.query(sql.leased, owner, sealedBy)).map(leasedWebhook);
      }),
    releaseWebhooks: async (owner) => {
      await readers.use((connection) => connection.change(sql.release, owner));
    },
    // No transaction spans reports: on a cluster, none may span realms.
    saveReports: async ({ owner, reports }) => {
      await readers.use((connection) =>
        Promise.all(reports.map((report) => saveReport(connection, owner, report))),
      );
    },
    removeStrayDeliveries: async () => {
      await readers.use((connection) => connection.change(sql.removeStray));
      return false;
    },
  };
}

async function saveReport(connection: Connection, owner: string, report: WebhookReport) {
  const { realmId, webhookId, progressOf, position, attempts, failingSince, nextAt } = report;
  const state = [progressOf, position, attempts, failingSince, nextAt];
  await connection.change(sql.progress, realmId, webhookId, ...state, owner);
  const [first] = report.deliveries;
  if (!first) return;
  const erase = () => connection.change(eraseDeliveries, realmId, webhookId, first.id);
  // Members may have been erased while the receiver answered: nobody sees what it said of them. (On
  // a cluster somebody may, until the next statement.)
  await connection.pipeline(() =>
    Promise.all([
      connection.change(insertDeliveries.one, realmId, ...columnsFor(report.deliveries)),
      erase(),
    ]),
  );
  // Or since then: an erasure that has not seen these deliveries was committed before they were.
  await erase();
  await connection.change(sql.trim, realmId, webhookId);
}

const columnsFor = (deliveries: readonly Delivery[]): string[] =>
  insertDeliveries.values.map((value) => arrayText(deliveries.map(value)));

const leasedWebhook = (row: LeasedRow): LeasedWebhook => ({
  ...decode(tables.webhooks, row),
  realmId: row.realmId,
  lastSeq: row.lastSeq,
});
