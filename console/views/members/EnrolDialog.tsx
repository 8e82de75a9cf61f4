import { addresses } from '../../addresses.ts';
import { given } from '../../api/service.ts';
import { useRealm } from '../../state/realm.ts';
import { isMemberId } from '../../text/shapes.ts';
import { TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';

const DIGITS = 'Digits only, such as a Discord user ID';

export function EnrolDialog(ends: { onChanged: () => void; onClose: () => void }) {
  const { api } = useRealm();
  const { typed, field } = useForm({ id: '', displayName: '', username: '' });
  const id = typed.id.trim();
  const submit = async (write: Write) => {
    const { displayName, username } = typed;
    const fields = given({ id, displayName: displayName.trim(), username: username.trim() });
    const member = await api.createMember({ ...fields, ...write(fields) });
    return {
      text: `${nameOf(member)} added`,
      href: addresses.member(api.id, member.id),
      undo: () => api.member(member.id).remove({ forfeit: false }),
    };
  };
  return (
    <FormDialog
      title="Add a member"
      action="Add member"
      canSubmit={id === '' || isMemberId(id)}
      fields={['id', 'displayName', 'username']}
      onSubmit={submit}
      {...ends}
    >
      <TextField
        label="Id"
        class="mono"
        inputMode="numeric"
        autoFocus
        placeholder="80351110224678912"
        hint={`${DIGITS}. Left empty, the next free one is used.`}
        {...field('id')}
      />
      <TextField label="Name" {...field('displayName')} />
      <TextField label="Handle" {...field('username')} />
    </FormDialog>
  );
}
