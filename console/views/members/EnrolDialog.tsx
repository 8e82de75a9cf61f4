import { useState } from 'preact/hooks';
import { addresses } from '../../addresses.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { isMemberId } from '../../text/shapes.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

const DIGITS = 'Digits only, such as a Discord user ID';

export function EnrolDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const { api } = useRealm();
  const [id, setId] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [username, setUsername] = useState('');
  const typedId = id.trim();
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = {
      ...(typedId ? { id: typedId } : {}),
      ...(displayName.trim() ? { displayName: displayName.trim() } : {}),
      ...(username.trim() ? { username: username.trim() } : {}),
    };
    const member = await api.createMember({ ...fields, ...write(fields) });
    toast({
      text: `${nameOf(member)} added`,
      href: addresses.member(api.id, member.id),
      undo: () => api.member(member.id).remove({ forfeit: false }).then(onDone),
    });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Add a member"
      action="Add member"
      canSubmit={typedId === '' || isMemberId(typedId)}
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
        hint={`${DIGITS}. Left empty, the next free one is used.`}
      />
      <TextField label="Name" name="displayName" value={displayName} onInput={setDisplayName} />
      <TextField label="Handle" name="username" value={username} onInput={setUsername} />
    </FormDialog>
  );
}
