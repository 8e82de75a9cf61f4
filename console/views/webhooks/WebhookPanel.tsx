import type { Delivery, NewWebhook, TestDelivery, Webhook } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { isRefused } from '../../api/faults.ts';
import { useAnswer } from '../../state/answers.ts';
import { useEvery } from '../../state/every.ts';
import { events, useArrivals } from '../../state/live.ts';
import { usePages } from '../../state/pages.ts';
import { mayChange, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { formatNumber, plural } from '../../text/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Fact } from '../../ui/Facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Neighbours } from '../../ui/PanelNav.tsx';
import { useQuery } from '../../ui/query.ts';
import { ProblemNote, Skeleton } from '../../ui/States.tsx';
import { useSubmit } from '../../ui/submit.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Values.tsx';
import { Deliveries, DeliveryDialog, Outcome } from './Deliveries.tsx';
import { DeleteWebhookDialog, ReplayDialog, RotateSecretDialog } from './WebhookDialogs.tsx';
import { EditWebhookDialog } from './WebhookForm.tsx';
import { WebhookState } from './WebhookState.tsx';

interface PanelProps {
  id: string;
  neighbours: Neighbours;
  onChanged: () => void;
  onSecret: (webhook: NewWebhook) => void;
  onClose: () => void;
}

export function WebhookPanel({ id, neighbours, onChanged, onSecret, onClose }: PanelProps) {
  const { api } = useRealm();
  const {
    value: webhook,
    error,
    reload,
  } = useAnswer(`webhook ${api.id} ${id}`, (signal) => api.webhook(id).get({ signal }));
  useArrivals(() => true, reload);
  useEvery(LOOK_EVERY_MS, webhook !== undefined && isBehind(webhook), reload);
  const changed = (): void => {
    onChanged();
    reload();
  };
  return (
    <Panel
      label="Webhook"
      head={webhook ? <Head webhook={webhook} /> : <Skeleton width={180} />}
      neighbours={neighbours}
      onClose={onClose}
    >
      {error && <ProblemNote error={error} retry={reload} />}
      {webhook && !isRefused(error) && (
        <Body webhook={webhook} onChanged={changed} onSecret={onSecret} onClose={onClose} />
      )}
    </Panel>
  );
}

/** Deliveries are no events: while some are due, the webhook is looked at. */
const LOOK_EVERY_MS = 2_000;

const isBehind = ({ paused, failingSince, position }: Webhook): boolean =>
  !paused && (failingSince !== null || position < (events.value?.[0]?.seq ?? 0));

function Head({ webhook }: { webhook: Webhook }) {
  return (
    <div class="ellipsis">
      <h2 class="ellipsis">
        <Text value={webhook.url} />
      </h2>
      <WebhookState webhook={webhook} />
    </div>
  );
}

function Body(props: Omit<PanelProps, 'id' | 'neighbours'> & { webhook: Webhook }) {
  const { webhook, onChanged, onSecret, onClose } = props;
  const { api } = useRealm();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const { query, set } = useQuery();
  const deliveries = usePages<Delivery>({
    key: `deliveries ${webhook.id}`,
    rowKey: ({ id }) => id,
    limit: 50,
    ask: (page) => api.webhook(webhook.id).deliveries(page),
    version: `${webhook.position} ${webhook.attempts}`,
  });
  const changed = (): void => {
    onChanged();
    deliveries.reload();
  };
  const deleted = (): void => {
    onClose();
    onChanged();
  };
  const opened = { webhook, onClose: () => setDialog(null) };
  return (
    <>
      <Actions webhook={webhook} onChanged={changed} onDialog={setDialog} />
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook.id} pages={deliveries} />
      {dialog === 'edit' && <EditWebhookDialog {...opened} onChanged={changed} />}
      {dialog === 'rotate' && <RotateSecretDialog {...opened} onCreated={onSecret} />}
      {dialog === 'replay' && <ReplayDialog {...opened} onChanged={changed} />}
      {dialog === 'delete' && <DeleteWebhookDialog {...opened} onChanged={deleted} />}
      {query.delivery && (
        <DeliveryDialog
          key={query.delivery}
          webhook={webhook.id}
          id={Number(query.delivery)}
          onSent={deliveries.reload}
          onClose={() => set({ delivery: '' })}
        />
      )}
    </>
  );
}

type DialogName = 'edit' | 'rotate' | 'replay' | 'delete';

interface ActionsProps {
  webhook: Webhook;
  onChanged: () => void;
  onDialog: (dialog: DialogName) => void;
}

function Actions({ webhook, onChanged, onDialog }: ActionsProps) {
  const { api, realm } = useRealm();
  const [tested, setTested] = useState<TestDelivery>();
  const test = useSubmit(async () => setTested(await api.webhook(webhook.id).test()));
  const pause = useSubmit(async () => {
    await api.webhook(webhook.id).update({ paused: !webhook.paused });
    toast({ text: webhook.paused ? 'Events are sent again' : 'Nothing is sent until you resume' });
    onChanged();
  });
  const retry = useSubmit(async () => {
    await api.webhook(webhook.id).replay({ fromSeq: webhook.position + 1 });
    toast({ text: 'The event that failed is sent again' });
    onChanged();
  });
  const error = test.error ?? pause.error ?? retry.error;
  const isFailing = !webhook.paused && webhook.failingSince !== null;
  return (
    <div class="stack tight">
      <div class="toolbar">
        <Button tone="primary" busy={test.busy} onClick={test.submit}>
          Send a test
        </Button>
        {mayChange(realm, 'admin') && (
          <>
            {isFailing && (
              <Button busy={retry.busy} onClick={retry.submit}>
                Retry now
              </Button>
            )}
            <Button busy={pause.busy} onClick={pause.submit}>
              {webhook.paused ? 'Resume' : 'Pause'}
            </Button>
            <MoreActions onDialog={onDialog} />
          </>
        )}
      </div>
      {error && <ProblemNote error={error} />}
      {tested && <Outcome what="The test" result={tested} />}
    </div>
  );
}

function MoreActions({ onDialog }: Pick<ActionsProps, 'onDialog'>) {
  return (
    <Menu
      label="More actions"
      class="button icon-only"
      items={[
        { label: 'Edit', icon: 'edit', onSelect: () => onDialog('edit') },
        { label: 'Send events again', icon: 'undo', onSelect: () => onDialog('replay') },
        { label: 'Replace the secret', icon: 'key', onSelect: () => onDialog('rotate') },
        null,
        { label: 'Delete', icon: 'remove', isDanger: true, onSelect: () => onDialog('delete') },
      ]}
    >
      <Icon name="more" />
    </Menu>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { types, position, attempts, failingSince, nextAttemptAt, description } = webhook;
  return (
    <dl class="facts">
      {description && <Fact label="For" value={<Text value={description} />} />}
      <Fact label="Events" value={types ? types.join(', ') : 'All'} />
      <Fact label="Sent up to" class="number" value={`Record ${formatNumber(position)}`} />
      {failingSince && (
        <Fact
          label="Failing since"
          value={
            <>
              <Time at={failingSince} />, {plural(attempts, 'attempt')}
            </>
          }
        />
      )}
      {nextAttemptAt && <Fact label="Next attempt" value={<Time at={nextAttemptAt} />} />}
    </dl>
  );
}
