import type { Kind, Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addresses } from '../../addresses.ts';
import { canGive, canMove, canSpend } from '../../state/allowed.ts';
import { kindOf, mayChange, useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountOf } from '../../text/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { isAt } from '../../ui/location.ts';
import { nameOf } from '../../ui/MemberName.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useQuery } from '../../ui/query.ts';
import type { ActionProps } from './action.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { EditDialog } from './EditDialog.tsx';
import { GiveDialog } from './GiveDialog.tsx';
import { HoldDialog } from './HoldDialog.tsx';

type Action = 'add' | 'take' | keyof typeof DIALOGS;

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

const DIALOGS = {
  give: GiveDialog,
  hold: HoldDialog,
  freeze: FreezeDialog,
  edit: EditDialog,
  remove: RemoveDialog,
};

function ActionDialog({ action, ...props }: ActionProps & { action: Action }) {
  if (action === 'add' || action === 'take') {
    return <ChangeDialog isTaking={action === 'take'} {...props} />;
  }
  const Dialog = DIALOGS[action];
  return <Dialog {...props} />;
}

function FreezeDialog({ member, ...ends }: ActionProps) {
  const { api } = useRealm();
  // As it was when the dialog opened: it does not turn into its opposite.
  const [isFrozen] = useState(member.status === 'frozen');
  const set = (status: 'active' | 'frozen', write: Write) =>
    api.member(member.id).update({ status, ...write({ status }) });
  const submit = async (write: Write) => {
    await set(isFrozen ? 'active' : 'frozen', write);
    return {
      text: `${nameOf(member)} ${isFrozen ? 'unfrozen' : 'frozen'}`,
      undo: () => set(isFrozen ? 'frozen' : 'active', write),
    };
  };
  return (
    <FormDialog
      title={`${isFrozen ? 'Unfreeze' : 'Freeze'} ${nameOf(member)}?`}
      action={isFrozen ? 'Unfreeze' : 'Freeze'}
      outcome={
        isFrozen
          ? 'Points can be added, taken and given again.'
          : 'No points move in or out until the member is unfrozen. The balance stays.'
      }
      onSubmit={submit}
      {...ends}
    />
  );
}

const OUTCOME =
  'Wallets and accounts are free for others. The history stays in the journal. This cannot be ' +
  'undone.';

function RemoveDialog({ member, onClose }: ActionProps) {
  const { api, kinds } = useRealm();
  const { route } = useLocation();
  const { listSearch } = useQuery();
  const { typed, check } = useForm({ agreed: false, erase: false });
  const { agreed, erase } = typed;
  const left = Object.entries(member.balances).filter(([, tokens]) => tokens !== 0);
  const amounts = left.map(([id, tokens]) => amountOf(tokens, kindOf(kinds, id))).join(' and ');
  const submit = async (): Promise<void> => {
    await api.member(member.id).remove({ forfeit: left.length > 0, erase });
    toast({ text: `${nameOf(member)} removed${erase ? ' and erased' : ' from the realm'}` });
    onClose();
    if (isAt(addresses.member(api.id, member.id))) route(addresses.members(api.id) + listSearch);
  };
  return (
    <FormDialog
      title={`Remove ${nameOf(member)} from the realm?`}
      action="Remove"
      tone="danger"
      canSubmit={left.length === 0 || agreed}
      outcome={OUTCOME}
      onSubmit={submit}
      onClose={onClose}
    >
      {left.length > 0 && (
        <CheckField
          label={`Forfeit ${amounts}`}
          hint="The member still has points; they are lost with the removal."
          {...check('agreed')}
        />
      )}
      <CheckField
        label="Erase personal data, too"
        hint="Names, accounts, wallets and descriptions go from the history; the points stay in it."
        {...check('erase')}
      />
    </FormDialog>
  );
}
