import type { Member } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { changedFields } from '../../text/changed-fields.ts';
import { tagsIn } from '../../text/tags.ts';
import { TextAreaField, TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { nameOf } from '../../ui/MemberName.tsx';
import type { ActionProps } from './action.ts';

const editable = ({ displayName, username, tags, note, metadata }: Member) => ({
  displayName,
  username,
  tags,
  note,
  metadata,
});

export function EditDialog({ member, ...ends }: ActionProps) {
  const { api } = useRealm();
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [before] = useState(editable(member));
  const written = JSON.stringify(before.metadata, null, 2);
  const { typed, field } = useForm({
    displayName: before.displayName ?? '',
    username: before.username ?? '',
    tags: before.tags.join(', '),
    note: before.note ?? '',
    metadata: written,
  });
  const parsed = typed.metadata === written ? before.metadata : parseObject(typed.metadata);
  const after = {
    displayName: typed.displayName.trim() || null,
    username: typed.username.trim() || null,
    tags: tagsIn(typed.tags),
    note: typed.note.trim() || null,
    metadata: parsed ?? before.metadata,
  };
  const fields = changedFields(before, after);
  const submit = async (write: Write) => {
    const former = changedFields(after, before);
    const changed = await api.member(member.id).update({ ...fields, ...write(fields) });
    return {
      text: `${nameOf(changed)} changed`,
      undo: () => api.member(member.id).update(former),
    };
  };
  return (
    <FormDialog
      title={`Edit ${nameOf(member)}`}
      action="Save"
      canSubmit={parsed !== null && Object.keys(fields).length > 0}
      fields={Object.keys(typed)}
      onSubmit={submit}
      {...ends}
    >
      <TextField label="Name" autoFocus {...field('displayName')} />
      <TextField label="Handle" {...field('username')} />
      <TextField label="Tags" hint="Separated by commas." {...field('tags')} />
      <TextAreaField label="Note" rows={3} {...field('note')} />
      <TextAreaField
        label="Custom data (JSON)"
        class="mono"
        hint={parsed ? 'An object of at most 8 KiB.' : 'This is not a JSON object yet.'}
        {...field('metadata')}
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
