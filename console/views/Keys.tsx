import type { ApiKey, NewApiKey } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { View } from '../frame/View.tsx';
import { useAsked } from '../state/asked.ts';
import { now } from '../state/clock.ts';
import { useArrivals } from '../state/live.ts';
import { usePages } from '../state/pages.ts';
import { mayChange, useRealm } from '../state/realm.ts';
import { scopeName } from '../text/scopes.ts';
import { Button } from '../ui/Button.tsx';
import { Intro } from '../ui/Intro.tsx';
import { RowMenu } from '../ui/Menu.tsx';
import { PagedTable } from '../ui/PagedTable.tsx';
import { Empty } from '../ui/States.tsx';
import type { Column } from '../ui/Table.tsx';
import { Text } from '../ui/Text.tsx';
import { timeColumn } from '../ui/time-column.tsx';
import { Id, Time } from '../ui/Values.tsx';
import {
  CreateKeyDialog,
  isOwnKey,
  NewKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
} from './KeyDialogs.tsx';

type Open =
  | { dialog: 'create' }
  | { dialog: 'rotate' | 'revoke'; key: ApiKey }
  | { dialog: 'shown'; key: NewApiKey };

export function Keys() {
  const { api, realm } = useRealm();
  const [open, setOpen] = useState<Open | null>(null);
  const pages = usePages<ApiKey>({
    key: `keys ${realm.id}`,
    rowKey: ({ id }) => id,
    limit: 100,
    ask: (page) => api.keys(page),
  });
  useArrivals(({ type }) => type.startsWith('key.'), pages.reload);
  const create = (): void => setOpen({ dialog: 'create' });
  useAsked('issue a key', create);
  // In an archived realm keys can only be revoked.
  const canIssue = mayChange(realm, 'admin');
  const close = (): void => setOpen(null);
  const show = (key: NewApiKey): void => {
    pages.reload();
    setOpen({ dialog: 'shown', key });
  };
  return (
    <View title="Keys" class="content">
      <Intro
        note="Bots and shops call the service with a key."
        action={
          canIssue && (
            <Button tone="primary" icon="plus" onClick={create}>
              Issue a key
            </Button>
          )
        }
      />
      <PagedTable
        label="Keys"
        columns={columns(canIssue, (dialog, key) => setOpen({ dialog, key }))}
        pages={pages}
        empty={
          <Empty icon="key" title="No keys yet">
            <p>Issue one for your bot. It is shown once, and can be revoked at any time.</p>
            {canIssue && (
              <Button icon="plus" onClick={create}>
                Issue the first key
              </Button>
            )}
          </Empty>
        }
      />
      {open?.dialog === 'create' && <CreateKeyDialog onCreated={show} onClose={close} />}
      {open?.dialog === 'rotate' && (
        <RotateKeyDialog apiKey={open.key} onCreated={show} onClose={close} />
      )}
      {open?.dialog === 'revoke' && (
        <RevokeKeyDialog apiKey={open.key} onChanged={pages.reload} onClose={close} />
      )}
      {open?.dialog === 'shown' && <NewKeyDialog apiKey={open.key} onClose={close} />}
    </View>
  );
}

const columns = (
  canIssue: boolean,
  onOpen: (dialog: 'rotate' | 'revoke', key: ApiKey) => void,
): Column<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (key) => (
      <div class="two-lines">
        <span class="row">
          <Text class="ellipsis" value={key.name} />
          {isOwnKey(key) && <span class="badge accent">Yours</span>}
        </span>
        {key.expiresAt && (
          <span class="caption ellipsis">
            {Date.parse(key.expiresAt) <= now.value ? 'Expired ' : 'Expires '}
            <Time at={key.expiresAt} />
          </span>
        )}
      </div>
    ),
  },
  { id: 'id', header: 'Id', width: 168, from: 'wide', cell: ({ id }) => <Id value={id} full /> },
  {
    id: 'scope',
    header: 'Access',
    width: 152,
    cell: ({ scopes }) => <span class="badge">{scopeName(scopes)}</span>,
  },
  timeColumn('created', 'Issued', ({ createdAt }) => createdAt),
  timeColumn('used', 'Last used', ({ lastUsedAt }) => lastUsedAt),
  {
    id: 'menu-cell',
    header: '',
    width: 56,
    cell: (key) => (
      <RowMenu
        label={`Actions for ${key.name}`}
        items={[
          ...(canIssue
            ? [{ label: 'Replace', icon: 'undo' as const, onSelect: () => onOpen('rotate', key) }]
            : []),
          {
            label: 'Revoke',
            icon: 'remove',
            isDanger: true,
            onSelect: () => onOpen('revoke', key),
          },
        ]}
      />
    ),
  },
];
