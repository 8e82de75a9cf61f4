import type { Kind } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../state/realm.ts';
import { toast } from '../state/toasts.ts';
import { readWhole } from '../text/amounts.ts';
import { CheckField, TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';

interface KindProps {
  /** Null for a new one. */
  kind: Kind | null;
  onDone: () => void;
  onClose: () => void;
}

export function KindDialog({ kind, onDone, onClose }: KindProps) {
  const { api } = useRealm();
  const [id, setId] = useState('');
  const [form, setForm] = useState({
    name: kind?.name ?? '',
    symbol: kind?.symbol ?? '',
    isTransferable: kind?.isTransferable ?? true,
    isDefault: kind?.isDefault ?? false,
    archived: kind?.archived ?? false,
    minimum: kind && kind.minimumBalance !== 0 ? String(kind.minimumBalance) : '',
  });
  const set = (changes: Partial<typeof form>): void => setForm({ ...form, ...changes });
  const write = useIdempotencyKey();
  const lowest = readLowest(form.minimum);
  const submit = async (): Promise<void> => {
    const { name, isTransferable, archived } = form;
    const fields = {
      name: name.trim(),
      symbol: form.symbol.trim() || null,
      isTransferable,
      minimumBalance: 'value' in lowest ? lowest.value : 0,
      ...(form.isDefault ? { isDefault: true } : {}),
    };
    if (kind) await api.kind(kind.id).update({ ...fields, archived, ...write([fields, archived]) });
    else await api.createKind({ id: id.trim(), ...fields, ...write([id, fields]) });
    toast({ text: `${fields.name} ${kind ? 'changed' : 'added'}` });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={kind ? `Edit ${kind.name}` : 'Add a kind of points'}
      action={kind ? 'Save' : 'Add'}
      canSubmit={
        form.name.trim() !== '' && 'value' in lowest && (kind !== null || id.trim() !== '')
      }
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

interface Choices {
  isTransferable: boolean;
  isDefault: boolean;
  archived: boolean;
}

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
