import type { NewWebhook, Webhook } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { View } from '../../frame/View.tsx';
import { useAsked } from '../../state/asked.ts';
import { useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Intro } from '../../ui/Intro.tsx';
import { PagedTable } from '../../ui/PagedTable.tsx';
import { neighboursOf } from '../../ui/PanelNav.tsx';
import { Empty } from '../../ui/States.tsx';
import type { Column } from '../../ui/Table.tsx';
import { Text } from '../../ui/Text.tsx';
import { WebhookSecretDialog } from './WebhookDialogs.tsx';
import { CreateWebhookDialog } from './WebhookForm.tsx';
import { WebhookPanel } from './WebhookPanel.tsx';
import { WebhookState } from './WebhookState.tsx';

/** Where events are sent, and whether they arrive. */
export function Webhooks({ webhook: selected }: { webhook?: string }) {
  const { api, realm } = useRealm();
  const { route } = useLocation();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewWebhook | null>(null);
  const pages = usePages<Webhook>({
    key: `webhooks ${realm.id}`,
    rowKey: ({ id }) => id,
    limit: 50,
    ask: (page) => api.webhooks(page),
  });
  // Whatever happens is sent, and "Sent up to" changes.
  useArrivals(() => true, pages.reload);
  useAsked('add a webhook', () => setCreating(true));
  const canCreate = mayChange(realm, 'admin');
  const show = (webhook: NewWebhook): void => {
    pages.reload();
    setCreating(false);
    setCreated(webhook);
  };
  return (
    <View title="Webhooks">
      <div class="content">
        <Intro
          note="Every event is sent to your own service: signed, in order, at least once."
          action={
            canCreate && (
              <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
                Add a webhook
              </Button>
            )
          }
        />
        <PagedTable
          label="Webhooks"
          columns={columns(realm.id)}
          pages={pages}
          rowClass={({ id }) => (id === selected ? 'linked current' : 'linked')}
          empty={<NoWebhooks onAdd={canCreate ? () => setCreating(true) : null} />}
        />
      </div>
      {selected && (
        <WebhookPanel
          key={selected}
          id={selected}
          neighbours={neighboursOf(pages.rows, selected, (id) => addresses.webhook(realm.id, id))}
          onChanged={pages.reload}
          onSecret={show}
          onClose={() => route(addresses.webhooks(realm.id))}
        />
      )}
      {isCreating && <CreateWebhookDialog onCreated={show} onClose={() => setCreating(false)} />}
      {created && <WebhookSecretDialog webhook={created} onClose={() => setCreated(null)} />}
    </View>
  );
}

function NoWebhooks({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <Empty icon="webhook" title="No webhooks yet">
      <p>Your bot or shop hears of every change at once, without asking again and again.</p>
      {onAdd && (
        <Button icon="plus" onClick={onAdd}>
          Add the first one
        </Button>
      )}
    </Empty>
  );
}

const columns = (realm: string): Column<Webhook>[] => [
  {
    id: 'url',
    header: 'Sends to',
    cell: ({ id, url, description }) => (
      <div class="two-lines">
        <a class="row-link ellipsis" href={addresses.webhook(realm, id)}>
          <Text value={url} />
        </a>
        {description && <Text class="caption ellipsis" value={description} />}
      </div>
    ),
  },
  {
    id: 'types',
    header: 'Events',
    width: 200,
    from: 'medium',
    cell: ({ types }) => <span class="muted">{types ? types.join(', ') : 'All'}</span>,
  },
  {
    id: 'position',
    header: 'Sent up to',
    width: 112,
    isNumber: true,
    from: 'wide',
    cell: ({ position }) => formatNumber(position),
  },
  {
    id: 'state',
    header: 'State',
    width: 128,
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
];
