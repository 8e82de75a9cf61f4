import { useState } from 'preact/hooks';
import type { OpenRealm } from '../state/realm.ts';
import {
  clashesOf,
  edited,
  fieldsOf,
  formOf,
  NO_EDITS,
  type SettingsForm,
} from '../state/settings-form.ts';
import { toast } from '../state/toasts.ts';
import { keepUnsaved, unsavedOf } from '../state/unsaved.ts';
import { changedFields } from '../text/changed-fields.ts';
import { useSubmit } from '../ui/submit.ts';
import { useIdempotencyKey } from '../ui/writes.ts';

type Field = keyof SettingsForm;

/** The settings as they are typed. What somebody else has saved meanwhile is not overwritten. */
export function useSettings({ api, realm, reload }: OpenRealm) {
  const [answer, setAnswer] = useState(realm);
  const saved = formOf(answer.updatedAt > realm.updatedAt ? answer : realm);
  const edits = unsavedOf(realm.id);
  const [saves, setSaves] = useState(0);
  const write = useIdempotencyKey();
  const form = { ...saved, ...edits.typed };
  const saving = useSubmit(async () => {
    const current = await api.get();
    setAnswer(current);
    const now = formOf(current);
    // Then both are shown, and nothing is sent.
    if (clashesOf(now, edits).length > 0) return;
    const fields = fieldsOf({ ...now, ...edits.typed }, changedFields(now, edits.typed));
    // They are saved if only the answer was lost before.
    const isSaved = Object.keys(fields).length === 0;
    const done = isSaved ? current : await api.update({ ...fields, ...write([saves, fields]) });
    setAnswer(done);
    // What was typed since is still to be saved.
    const left = changedFields(form, unsavedOf(realm.id).typed);
    keepUnsaved(realm.id, edited(formOf(done), NO_EDITS, left));
    // To save the same once more is another change.
    setSaves(saves + 1);
    toast({ text: 'Settings saved', undo: () => restore(now, formOf(done)) });
    reload();
  });
  const restore = async (before: SettingsForm, after: SettingsForm): Promise<unknown> => {
    const changes = changedFields(after, before);
    const current = formOf(await api.get());
    const isOthers = (Object.keys(changes) as Field[]).some((one) => current[one] !== after[one]);
    if (isOthers) return 'Not undone: somebody else has changed these settings since';
    await api.update(fieldsOf({ ...current, ...changes }, changes));
    return reload();
  };
  const set = (more: Partial<SettingsForm>): void =>
    keepUnsaved(realm.id, edited(saved, edits, more));
  return {
    form,
    set,
    saving,
    hasChanges: Object.keys(changedFields(saved, edits.typed)).length > 0,
    discard: () => keepUnsaved(realm.id, NO_EDITS),
    clashes: clashesOf(saved, edits).map((field) => ({
      field,
      theirs: saved[field],
      mine: form[field],
      useTheirs: () => set({ [field]: saved[field] }),
      keepMine: () => {
        const before = { ...edits.before, [field]: saved[field] };
        keepUnsaved(realm.id, { ...edits, before });
      },
    })),
  };
}

export type Clash = ReturnType<typeof useSettings>['clashes'][number];
