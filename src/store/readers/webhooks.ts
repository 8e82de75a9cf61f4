import { pageOfSmall } from '../../domain/rules/pages.ts';
import { webhookView } from '../../domain/rules/views.ts';
import type { Delivery, WebhookRow } from '../../domain/webhook.ts';
import { rowWithKey, selectRows } from '../rows.ts';
import { all, ask, firstOrNull, together } from '../statement.ts';
import { tables } from '../tables.ts';
import type { Readers } from './readers.ts';

type OfWebhook = { realmId: string; webhookId: string };

const find = {
  webhooks: selectRows<WebhookRow, { realmId: string }>(
    tables.webhooks,
    'WHERE realm_id = :realmId ORDER BY webhook_id',
  ),
  webhook: rowWithKey<WebhookRow, OfWebhook>(tables.webhooks),
  deliveries: selectRows<Delivery, OfWebhook & { before: number; limit: number }>(
    tables.deliveries,
    `WHERE realm_id = :realmId AND webhook_id = :webhookId AND delivery_id < :before
     ORDER BY delivery_id DESC LIMIT :limit`,
  ),
  delivery: rowWithKey<Delivery, OfWebhook & { deliveryId: number }>(tables.deliveries),
};

export const webhookReaders = {
  *webhooks({ realmId }) {
    return (yield* all(find.webhooks, { realmId })).map(webhookView);
  },
  webhook: (which) => firstOrNull(find.webhook, which),
  *deliveries({ realmId, webhookId, before, limit }) {
    const end = before ?? Number.MAX_SAFE_INTEGER;
    const [[webhook], found] = yield* together(
      ask(find.webhook, { realmId, webhookId }),
      ask(find.deliveries, { realmId, webhookId, before: end, limit: limit + 1 }),
    );
    return webhook ? pageOfSmall(found, limit) : null;
  },
  delivery: (which) => firstOrNull(find.delivery, which),
} satisfies Partial<Readers>;
