import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../state/realm.ts';
import { toast } from '../state/toasts.ts';
import { readWhole } from '../text/amounts.ts';
import { changedFields } from '../text/changed-fields.ts';
import { CheckField, TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';

interface KindProps {
  /** Null for a new one. */
  kind: Kind | null;
  onDone: () => void;
  onClose: () => void;
}

const formOf = (kind: Kind | null) => ({
  name: kind?.name ?? '',
  symbol: kind?.symbol ?? '',
  isTransferable: kind?.isTransferable ?? true,
  isDefault: kind?.isDefault ?? false,
  archived: kind?.archived ?? false,
  minimum: kind && kind.minimumBalance !== 0 ? String(kind.minimumBalance) : '',
});

type KindForm = ReturnType<typeof formOf>;

interface Fields {
  name: string;
  symbol: string | null;
  isTransferable: boolean;
  isDefault: boolean;
  archived: boolean;
  minimumBalance: number;
}

/** What the form says; null while it cannot be sent. */
function fieldsOf({ name, symbol, minimum, ...switches }: KindForm): Fields | null {
  const lowest = readLowest(minimum);
  if (name.trim() === '' || 'fault' in lowest) return null;
  const texts = { name: name.trim(), symbol: symbol.trim() || null };
  return { ...texts, ...switches, minimumBalance: lowest.value };
}

export function KindDialog({ kind, onDone, onClose }: KindProps) {
  const [id, setId] = useState('');
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [opened] = useState(formOf(kind));
  const [form, setForm] = useState(opened);
  const set = (changes: Partial<KindForm>): void => setForm({ ...form, ...changes });
  const fields = fieldsOf(form);
  const before: Partial<Fields> = fieldsOf(opened) ?? {};
  const isChanged = Object.keys(changedFields(before, fields ?? {})).length > 0;
  const { add, change } = useSave(onDone);
  const submit = async (): Promise<void> => {
    if (!fields) return;
    await (kind ? change(kind.id, before, fields) : add(id.trim(), fields));
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={kind ? `Edit ${kind.name}` : 'Add a kind of points'}
      action={kind ? 'Save' : 'Add'}
      canSubmit={fields !== null && (kind ? isChanged : id.trim() !== '')}
      fields={['id', 'name', 'symbol', 'minimumBalance']}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="name"
        value={form.name}
        onInput={(name) => set({ name })}
        placeholder="Gems"
        autoFocus
      />
      {!kind && <IdField value={id} onInput={setId} />}
      <TextField
        label="Symbol"
        name="symbol"
        value={form.symbol}
        onInput={(symbol) => set({ symbol })}
        placeholder="◆"
      />
      <LowestField value={form.minimum} onInput={(minimum) => set({ minimum })} />
      <Switches kind={kind} form={form} set={set} />
    </FormDialog>
  );
}

function useSave(onDone: () => void) {
  const { api } = useRealm();
  const write = useIdempotencyKey();
  const add = async (id: string, { archived: _, ...fields }: Fields): Promise<void> => {
    await api.createKind({ id, ...fields, ...write([id, fields]) });
    toast({ text: `${fields.name} added` });
  };
  const change = async (id: string, before: Partial<Fields>, after: Fields): Promise<void> => {
    const changed = changedFields(before, after);
    await api.kind(id).update({ ...changed, ...write(changed) });
    const revert = () => api.kind(id).update(changedFields(after, before)).then(onDone);
    // A default is replaced by another one, and not taken back.
    toast({ text: `${after.name} changed`, ...(changed.isDefault ? {} : { undo: revert }) });
  };
  return { add, change };
}

/** Zero if it is left empty. */
const readLowest = (typed: string): ReturnType<typeof readWhole> =>
  typed.trim() === '' ? { value: 0 } : readWhole(typed);

interface InputProps {
  value: string;
  onInput: (value: string) => void;
}

function LowestField(input: InputProps) {
  const read = readLowest(input.value);
  return (
    <TextField
      label="Lowest balance"
      name="minimumBalance"
      class="number"
      placeholder="0"
      hint={'fault' in read ? read.fault : 'A negative number lets members go into debt.'}
      {...input}
    />
  );
}

function IdField(input: InputProps) {
  return (
    <TextField
      label="Id"
      name="id"
      class="mono"
      placeholder="gems"
      hint="What programs call it. It cannot be changed later."
      {...input}
    />
  );
}

type Choices = Pick<Fields, 'isTransferable' | 'isDefault' | 'archived'>;

function Switches(props: {
  kind: Kind | null;
  form: Choices;
  set: (changes: Partial<Choices>) => void;
}) {
  const { kind, form, set } = props;
  return (
    <div class="stack tight">
      <CheckField
        label="Members may give them to each other"
        checked={form.isTransferable}
        onChange={(isTransferable) => set({ isTransferable })}
      />
      {!kind?.isDefault && !form.archived && (
        <CheckField
          label="Default"
          hint="Calls that name no kind mean this one."
          checked={form.isDefault}
          onChange={(isDefault) => set({ isDefault })}
        />
      )}
      {kind && !kind.isDefault && !form.isDefault && (
        <CheckField
          label="Archived"
          hint="Balances stay readable; nothing can be moved."
          checked={form.archived}
          onChange={(archived) => set({ archived })}
        />
      )}
    </div>
  );
}
