import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { TextAreaField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';

export function EditDialog({ member, onChanged, onClose }: ActionProps) {
  const { api } = useRealm();
  const [displayName, setDisplayName] = useState(member.displayName ?? '');
  const [username, setUsername] = useState(member.username ?? '');
  const [metadata, setMetadata] = useState(JSON.stringify(member.metadata, null, 2));
  const write = useIdempotencyKey();
  const parsed = parseObject(metadata);
  const submit = async (): Promise<void> => {
    const names = { displayName: displayName.trim() || null, username: username.trim() || null };
    const fields = { ...names, ...(parsed ? { metadata: parsed } : {}) };
    const { displayName: oldName, username: oldHandle, metadata: oldData } = member;
    const former = { displayName: oldName, username: oldHandle, metadata: oldData };
    const changed = await api.member(member.id).update({ ...fields, ...write(fields) });
    toast({
      text: `${nameOf(changed)} is changed`,
      undo: () =>
        api
          .member(member.id)
          .update({ ...former, ...write(former) })
          .then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${nameOf(member)}`}
      action="Save"
      canSubmit={parsed !== null}
      fields={['displayName', 'username', 'metadata']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="displayName"
        value={displayName}
        onInput={setDisplayName}
        autoFocus
      />
      <TextField label="Handle" name="username" value={username} onInput={setUsername} />
      <TextAreaField
        label="Your own data"
        name="metadata"
        class="mono"
        value={metadata}
        onInput={setMetadata}
        hint={parsed ? 'A JSON object of at most 8 KiB.' : 'This is not a JSON object yet.'}
      />
    </FormDialog>
  );
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
