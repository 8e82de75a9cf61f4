import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';

export function FreezeDialog({ member, onChanged, onClose }: ActionProps) {
  const { api } = useRealm();
  const write = useIdempotencyKey();
  // As it was when the dialog opened: it does not turn into its opposite.
  const [isFrozen] = useState(member.status === 'frozen');
  const set = (status: 'active' | 'frozen') =>
    api.member(member.id).update({ status, ...write({ status }) });
  const submit = async (): Promise<void> => {
    await set(isFrozen ? 'active' : 'frozen');
    toast({
      text: `${nameOf(member)} ${isFrozen ? 'unfrozen' : 'frozen'}`,
      undo: () => set(isFrozen ? 'frozen' : 'active').then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`${isFrozen ? 'Unfreeze' : 'Freeze'} ${nameOf(member)}?`}
      action={isFrozen ? 'Unfreeze' : 'Freeze'}
      canSubmit={true}
      outcome={
        isFrozen
          ? 'Points can be added, taken and given again.'
          : 'No points move in or out until the member is unfrozen. The balance stays.'
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
