import { useState } from 'preact/hooks';
import { mayChange, useRealm } from '../../state/realm.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import type { ActionProps } from './action.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { EditDialog } from './EditDialog.tsx';
import { FreezeDialog } from './FreezeDialog.tsx';
import { GiveDialog } from './GiveDialog.tsx';
import { HoldDialog } from './HoldDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';

type Action = 'add' | 'take' | 'give' | 'hold' | 'freeze' | 'edit' | 'remove';

/** Nothing is offered that the service would refuse. */
export function MemberActions({ member, kind, onChanged }: Omit<ActionProps, 'onClose'>) {
  const { realm } = useRealm();
  const [action, setAction] = useState<Action | null>(null);
  if (!mayChange(realm)) return null;
  const isFrozen = member.status === 'frozen';
  const canMove = !isFrozen && !kind.archived;
  const has = (member.available[kind.id] ?? 0) > 0 || kind.minimumBalance < 0;
  const canGive = canMove && has && kind.isTransferable && realm.settings.transfers;
  const props = { member, kind, onChanged, onClose: () => setAction(null) };
  return (
    <div class="toolbar">
      <Button tone="primary" icon="plus" disabled={!canMove} onClick={() => setAction('add')}>
        Add points
      </Button>
      <Button icon="minus" disabled={!canMove || !has} onClick={() => setAction('take')}>
        Take points
      </Button>
      <Button icon="give" disabled={!canGive} onClick={() => setAction('give')}>
        Give
      </Button>
      <Menu
        label="More actions"
        class="button icon-only"
        items={[
          ...(canMove && has
            ? [{ label: 'Set aside', icon: 'hold' as const, onSelect: () => setAction('hold') }]
            : []),
          { label: 'Edit', icon: 'edit', onSelect: () => setAction('edit') },
          {
            label: isFrozen ? 'Unfreeze' : 'Freeze',
            icon: 'freeze',
            onSelect: () => setAction('freeze'),
          },
          null,
          {
            label: 'Remove from the realm',
            icon: 'remove',
            isDanger: true,
            onSelect: () => setAction('remove'),
          },
        ]}
      >
        <Icon name="more" />
      </Menu>
      {action && <ActionDialog action={action} {...props} />}
    </div>
  );
}

function ActionDialog({ action, ...props }: ActionProps & { action: Action }) {
  switch (action) {
    case 'add':
    case 'take':
      return <ChangeDialog isTaking={action === 'take'} {...props} />;
    case 'give':
      return <GiveDialog {...props} />;
    case 'hold':
      return <HoldDialog {...props} />;
    case 'freeze':
      return <FreezeDialog {...props} />;
    case 'edit':
      return <EditDialog {...props} />;
    case 'remove':
      return <RemoveDialog {...props} />;
  }
}
