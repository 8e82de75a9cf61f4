import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../state/realm.ts';
import { toast } from '../state/toasts.ts';
import { readWhole } from '../text/amounts.ts';
import { changedFields } from '../text/changed-fields.ts';
import { idFrom } from '../text/ids.ts';
import { CheckField, TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';

interface KindProps {
  /** Null for a new one. */
  kind: Kind | null;
  onDone: () => void;
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
  minimum: kind && kind.minimumBalance !== 0 ? String(kind.minimumBalance) : '',
  maximum: kind && kind.maximumBalance !== NO_LIMIT ? String(kind.maximumBalance) : '',
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
function fieldsOf({ name, symbol, minimum, maximum, ...switches }: KindForm): Fields | null {
  const lowest = readBound(minimum, 0);
  const highest = readBound(maximum, NO_LIMIT);
  if (name.trim() === '' || 'fault' in lowest || 'fault' in highest) return null;
  const texts = { name: name.trim(), symbol: symbol.trim() || null };
  return {
    ...texts,
    ...switches,
    minimumBalance: lowest.value,
    maximumBalance: highest.value,
  };
}

export function KindDialog({ kind, onDone, onClose }: KindProps) {
  const [typedId, setTypedId] = useState<string | null>(null);
  // As it was when the dialog opened: only what is changed here is sent, and undone.
  const [opened] = useState(formOf(kind));
  const [form, setForm] = useState(opened);
  const set = (changes: Partial<KindForm>): void => setForm({ ...form, ...changes });
  const id = typedId ?? idFrom(form.name, LONGEST_ID);
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
      title={kind ? `Edit ${kind.name}` : 'Add a point type'}
      action={kind ? 'Save' : 'Add'}
      canSubmit={fields !== null && (kind ? isChanged : id.trim() !== '')}
      fields={['id', 'name', 'symbol', 'minimumBalance', 'maximumBalance']}
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
      {!kind && <IdField value={id} onInput={setTypedId} />}
      <TextField
        label="Symbol"
        name="symbol"
        value={form.symbol}
        onInput={(symbol) => set({ symbol })}
        placeholder="◆"
      />
      <LowestField value={form.minimum} onInput={(minimum) => set({ minimum })} />
      <HighestField value={form.maximum} onInput={(maximum) => set({ maximum })} />
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

const readBound = (typed: string, ifEmpty: number): ReturnType<typeof readWhole> =>
  typed.trim() === '' ? { value: ifEmpty } : readWhole(typed);

interface InputProps {
  value: string;
  onInput: (value: string) => void;
}

function LowestField(input: InputProps) {
  const read = readBound(input.value, 0);
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

function HighestField(input: InputProps) {
  const read = readBound(input.value, NO_LIMIT);
  return (
    <TextField
      label="Highest balance"
      name="maximumBalance"
      class="number"
      placeholder="No limit"
      hint={'fault' in read ? read.fault : 'Points that would exceed it are refused.'}
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
          hint="Calls that name no type mean this one."
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
