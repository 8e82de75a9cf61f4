import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { View } from '../frame/View.tsx';
import { useAsked } from '../state/asked.ts';
import { mayChange, useRealm } from '../state/realm.ts';
import { formatNumber } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Intro } from '../ui/Intro.tsx';
import { KindBadge } from '../ui/Marks.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Middle } from '../ui/Values.tsx';
import { KindDialog } from './KindDialog.tsx';

export function Points() {
  const { realm, kinds, reload } = useRealm();
  const [editing, setEditing] = useState<Kind | 'new' | null>(null);
  const canEdit = mayChange(realm, 'admin');
  useAsked('add a kind', () => setEditing('new'));
  return (
    <View title="Point types" class="content">
      <Intro
        note="Every member has a balance in each of them."
        action={
          canEdit && (
            <Button tone="primary" icon="plus" onClick={() => setEditing('new')}>
              Add a point type
            </Button>
          )
        }
      />
      <div class="card">
        <Table
          label="Point types"
          columns={columns(canEdit ? setEditing : null)}
          rows={kinds}
          rowKey={({ id }) => id}
          empty={null}
        />
      </div>
      {editing && (
        <KindDialog
          kind={editing === 'new' ? null : editing}
          onChanged={reload}
          onClose={() => setEditing(null)}
        />
      )}
    </View>
  );
}

const isLimit = (value: number): boolean => Math.abs(value) !== Number.MAX_SAFE_INTEGER;

const bound = (value: number): string => (isLimit(value) ? formatNumber(value) : 'No limit');

const boundFigure = (value: number): number => (isLimit(value) ? value : 0);

const columns = (onEdit: ((kind: Kind) => void) | null): Column<Kind>[] => [
  {
    id: 'name',
    header: 'Name',
    cell: (kind) => (
      <span class="row">
        <KindBadge kind={kind} />
        {kind.isDefault && <span class="badge accent">Default</span>}
        {kind.archived && <span class="badge">Archived</span>}
      </span>
    ),
  },
  {
    id: 'id',
    header: 'Id',
    width: 160,
    from: 'medium',
    cell: ({ id }) => <Middle value={id} />,
  },
  {
    id: 'gifts',
    header: 'Gifts',
    width: 136,
    from: 'medium',
    cell: ({ isTransferable }) =>
      isTransferable ? 'Allowed' : <span class="muted">Not allowed</span>,
  },
  {
    id: 'lowest',
    header: 'Lowest',
    isNumber: true,
    width: 104,
    figure: ({ minimumBalance }) => boundFigure(minimumBalance),
    from: 'wide',
    cell: ({ minimumBalance }) => bound(minimumBalance),
  },
  {
    id: 'highest',
    header: 'Highest',
    isNumber: true,
    width: 136,
    from: 'wide',
    figure: ({ maximumBalance }) => boundFigure(maximumBalance),
    cell: ({ maximumBalance }) => bound(maximumBalance),
  },
  ...(onEdit
    ? [
        {
          id: 'edit',
          header: '',
          width: 80,
          isNumber: true,
          cell: (kind: Kind) => (
            <Button small onClick={() => onEdit(kind)}>
              Edit
            </Button>
          ),
        },
      ]
    : []),
];
