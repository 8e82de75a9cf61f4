import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

export function EnrolDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { api } = useRealm();
  const [id, setId] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [username, setUsername] = useState('');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = {
      ...(id.trim() ? { id: id.trim() } : {}),
      ...(displayName.trim() ? { displayName: displayName.trim() } : {}),
      ...(username.trim() ? { username: username.trim() } : {}),
    };
    const member = await api.createMember({ ...fields, ...write(fields) });
    toast({
      text: `${nameOf(member)} enrolled`,
      href: addresses.member(api.id, member.id),
      undo: () => api.member(member.id).remove({ forfeit: false }).then(onDone),
    });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Enrol a member"
      action="Enrol"
      canSubmit={true}
      fields={['id', 'displayName', 'username']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Id"
        name="id"
        class="mono"
        inputMode="numeric"
        value={id}
        onInput={setId}
        autoFocus
        placeholder="80351110224678912"
        hint="The Discord user id, for example. Leave it empty and the next free one is used."
      />
      <TextField label="Name" name="displayName" value={displayName} onInput={setDisplayName} />
      <TextField label="Handle" name="username" value={username} onInput={setUsername} />
    </FormDialog>
  );
}
