import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../state/realm.ts';
import { readWhole } from '../text/amounts.ts';
import { changedFields } from '../text/changed-fields.ts';
import { idFrom } from '../text/ids.ts';
import { CheckField, TextField, useForm } from '../ui/Field.tsx';
import { FormDialog, type Write } from '../ui/FormDialog.tsx';

interface KindProps {
  /** Null for a new one. */
  kind: Kind | null;
  onChanged: () => void;
  onClose: () => void;
}

/** The highest balance that there is. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** Of a kind. */
const LONGEST_ID = 32;

const formOf = (kind: Kind | null) => ({
  name: kind?.name ?? '',
  symbol: kind?.symbol ?? '',
  isTransferable: kind?.isTransferable ?? true,
  isDefault: kind?.isDefault ?? false,
  archived: kind?.archived ?? false,
  minimumBalance: kind && kind.minimumBalance !== 0 ? String(kind.minimumBalance) : '',
  maximumBalance: kind && kind.maximumBalance !== NO_LIMIT ? String(kind.maximumBalance) : '',
});

type KindForm = ReturnType<typeof formOf>;

interface Fields {
  name: string;
  symbol: string | null;
  isTransferable: boolean;
  isDefault: boolean;
  archived: boolean;
  minimumBalance: number;
  maximumBalance: number;
}

/** What the form says; null while it cannot be sent. */
function fieldsOf({ name, symbol, ...form }: KindForm): Fields | null {
  const lowest = readBound(form.minimumBalance, 0);
  const highest = readBound(form.maximumBalance, NO_LIMIT);
  if (name.trim() === '' || 'fault' in lowest || 'fault' in highest) return null;
  const texts = { name: name.trim(), symbol: symbol.trim() || null };
  return { ...form, ...texts, minimumBalance: lowest.value, maximumBalance: highest.value };
}

export function KindDialog({ kind, ...ends }: KindProps) {
  const [typedId, setTypedId] = useState<string | null>(null);
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [opened] = useState(formOf(kind));
  const { typed: form, field, check } = useForm(opened);
  const id = typedId ?? idFrom(form.name, LONGEST_ID);
  const fields = fieldsOf(form);
  const before: Partial<Fields> = fieldsOf(opened) ?? {};
  const isChanged = Object.keys(changedFields(before, fields ?? {})).length > 0;
  const { add, change } = useSave();
  const submit = async (write: Write) => {
    if (!fields) return;
    return kind ? change(kind.id, before, fields, write) : add(id.trim(), fields, write);
  };
  return (
    <FormDialog
      title={kind ? `Edit ${kind.name}` : 'Add a point type'}
      action={kind ? 'Save' : 'Add'}
      canSubmit={fields !== null && (kind ? isChanged : id.trim() !== '')}
      fields={['id', 'name', 'symbol', 'minimumBalance', 'maximumBalance']}
      onSubmit={submit}
      {...ends}
    >
      <TextField label="Name" placeholder="Gems" autoFocus {...field('name')} />
      {!kind && (
        <TextField
          label="Id"
          name="id"
          class="mono"
          placeholder="gems"
          hint="What programs call it. It cannot be changed later."
          value={id}
          onInput={setTypedId}
        />
      )}
      <TextField label="Symbol" placeholder="◆" {...field('symbol')} />
      <Bounds form={form} field={field} />
      <div class="stack tight">
        <CheckField label="Members may give them to each other" {...check('isTransferable')} />
        {!kind?.isDefault && !form.archived && (
          <CheckField
            label="Default"
            hint="Calls that name no type mean this one."
            {...check('isDefault')}
          />
        )}
        {kind && !kind.isDefault && !form.isDefault && (
          <CheckField
            label="Archived"
            hint="Balances stay readable; nothing can be moved."
            {...check('archived')}
          />
        )}
      </div>
    </FormDialog>
  );
}

function Bounds({
  form,
  field,
}: Pick<ReturnType<typeof useForm<KindForm>>, 'field'> & { form: KindForm }) {
  return (
    <>
      <TextField
        label="Lowest balance"
        class="number"
        placeholder="0"
        hint={boundHint(form.minimumBalance, 'A negative number lets members go into debt.')}
        {...field('minimumBalance')}
      />
      <TextField
        label="Highest balance"
        class="number"
        placeholder="No limit"
        hint={boundHint(form.maximumBalance, 'Points that would exceed it are refused.')}
        {...field('maximumBalance')}
      />
    </>
  );
}

function useSave() {
  const { api } = useRealm();
  const add = async (id: string, { archived: _, ...fields }: Fields, write: Write) => {
    await api.createKind({ id, ...fields, ...write([id, fields]) });
    return { text: `${fields.name} added` };
  };
  const change = async (id: string, before: Partial<Fields>, after: Fields, write: Write) => {
    const changed = changedFields(before, after);
    await api.kind(id).update({ ...changed, ...write(changed) });
    const undo = () => api.kind(id).update(changedFields(after, before));
    // A default is replaced by another one, and not taken back.
    return { text: `${after.name} changed`, ...(changed.isDefault ? {} : { undo }) };
  };
  return { add, change };
}

const readBound = (typed: string, ifEmpty: number): ReturnType<typeof readWhole> =>
  typed.trim() === '' ? { value: ifEmpty } : readWhole(typed);

/** Why it is no number or, if it is one, what it does. */
function boundHint(typed: string, hint: string): string {
  const read = readBound(typed, 0);
  return 'fault' in read ? read.fault : hint;
}
