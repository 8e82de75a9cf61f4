import type { Kind, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { canGive, canMove, canSpend } from '../../state/allowed.ts';
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
  return (
    <div class="toolbar">
      {canMove(member, kind) && <Movements member={member} kind={kind} onAction={setAction} />}
      {isFrozen && (
        <Button icon="freeze" onClick={() => setAction('freeze')}>
          Unfreeze
        </Button>
      )}
      <Menu
        label="More actions"
        class="button icon-only"
        items={[
          ...(canSpend(member, kind)
            ? [{ label: 'Put on hold', icon: 'hold' as const, onSelect: () => setAction('hold') }]
            : []),
          { label: 'Edit', icon: 'edit', onSelect: () => setAction('edit') },
          ...(isFrozen
            ? []
            : [{ label: 'Freeze', icon: 'freeze' as const, onSelect: () => setAction('freeze') }]),
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
      {action && (
        <ActionDialog
          action={action}
          member={member}
          kind={kind}
          onChanged={onChanged}
          onClose={() => setAction(null)}
        />
      )}
    </div>
  );
}

interface MovementsProps {
  member: Member;
  kind: Kind;
  onAction: (action: Action) => void;
}

function Movements({ member, kind, onAction }: MovementsProps) {
  const { realm } = useRealm();
  return (
    <>
      <Button tone="primary" icon="plus" onClick={() => onAction('add')}>
        Add points
      </Button>
      <Button icon="minus" disabled={!canSpend(member, kind)} onClick={() => onAction('take')}>
        Take points
      </Button>
      <Button icon="give" disabled={!canGive(member, kind, realm)} onClick={() => onAction('give')}>
        Give
      </Button>
    </>
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
