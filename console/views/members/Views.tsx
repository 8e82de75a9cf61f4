import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { type SavedView, savedViews, saveView } from '../../state/saved-views.ts';
import { toast } from '../../state/toasts.ts';
import { FILTERS } from '../../text/member-filters.ts';
import { TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useQuery } from '../../ui/query.ts';

/** What of the address makes the list. */
const PARTS = ['search', 'sort', 'kind', ...FILTERS] as const;

/** The lists that somebody has given a name, in this browser. */
export function Views() {
  const { realm } = useRealm();
  const { query, set } = useQuery();
  const [isSaving, setSaving] = useState(false);
  const views = savedViews.value[realm.id] ?? [];
  const asked = Object.fromEntries(PARTS.map((name) => [name, query[name] ?? '']));
  const current = views.find((view) => PARTS.every((name) => view.query[name] === asked[name]));
  const remove = ({ name, query: saved }: SavedView): void => {
    saveView(realm.id, name, null);
    toast({
      text: `The view “${name}” is removed`,
      undo: async () => saveView(realm.id, name, saved),
    });
  };
  return (
    <>
      <Menu
        label="Views"
        class="button quiet"
        side="start"
        items={[
          ...views.map(({ name, query: saved }) => ({
            label: name,
            onSelect: () => set(saved),
          })),
          ...(views.length > 0 ? [null] : []),
          { label: 'Save this view…', onSelect: () => setSaving(true) },
          ...(current
            ? [
                {
                  label: `Remove “${current.name}”`,
                  onSelect: () => remove(current),
                },
              ]
            : []),
        ]}
      >
        {current?.name ?? 'Views'}
        <Icon name="down" />
      </Menu>
      {isSaving && (
        <SaveDialog
          onSave={(name) => saveView(realm.id, name, asked)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

function SaveDialog({ onSave, onClose }: { onSave: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const submit = async (): Promise<void> => {
    onSave(name.trim());
    toast({ text: `The view “${name.trim()}” is saved` });
    onClose();
  };
  return (
    <FormDialog
      title="Save this view"
      action="Save"
      canSubmit={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onInput={(value) => setName(value.slice(0, 40))}
        autoFocus
        hint="The search, the filters and the order; in this browser."
      />
    </FormDialog>
  );
}
