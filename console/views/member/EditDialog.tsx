import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { changedFields } from '../../text/changed-fields.ts';
import { tagsIn } from '../../text/tags.ts';
import { TextAreaField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';
import type { ActionProps } from './action.ts';

const editable = ({ displayName, username, tags, note, metadata }: Member) => ({
  displayName,
  username,
  tags,
  note,
  metadata,
});

export function EditDialog({ member, onChanged, onClose }: ActionProps) {
  const { api } = useRealm();
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [before] = useState(editable(member));
  const [displayName, setDisplayName] = useState(before.displayName ?? '');
  const [username, setUsername] = useState(before.username ?? '');
  const [tags, setTags] = useState(before.tags.join(', '));
  const [note, setNote] = useState(before.note ?? '');
  const written = JSON.stringify(before.metadata, null, 2);
  const [metadata, setMetadata] = useState(written);
  const write = useIdempotencyKey();
  const parsed = metadata === written ? before.metadata : parseObject(metadata);
  const names = { displayName: displayName.trim() || null, username: username.trim() || null };
  const after = {
    ...names,
    tags: tagsIn(tags),
    note: note.trim() || null,
    metadata: parsed ?? before.metadata,
  };
  const fields = changedFields(before, after);
  const submit = async (): Promise<void> => {
    const former = changedFields(after, before);
    const changed = await api.member(member.id).update({ ...fields, ...write(fields) });
    toast({
      text: `${nameOf(changed)} changed`,
      undo: () => api.member(member.id).update(former).then(onChanged),
    });
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title={`Edit ${nameOf(member)}`}
      action="Save"
      canSubmit={parsed !== null && Object.keys(fields).length > 0}
      fields={['displayName', 'username', 'tags', 'note', 'metadata']}
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
      <TextField
        label="Tags"
        name="tags"
        value={tags}
        onInput={setTags}
        placeholder="vip, helper"
        hint="Separated by commas."
      />
      <TextAreaField label="Note" name="note" rows={3} value={note} onInput={setNote} />
      <TextAreaField
        label="Custom data (JSON)"
        name="metadata"
        class="mono"
        value={metadata}
        onInput={setMetadata}
        hint={parsed ? 'An object of at most 8 KiB.' : 'This is not a JSON object yet.'}
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
