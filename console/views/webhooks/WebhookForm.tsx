import type { NewWebhook, Webhook } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { fieldsFor, SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';

const SOME = 'some';

const GROUPS = [
  { value: '', label: 'All of them' },
  { value: 'points.*', label: 'Points only' },
  { value: 'member.*', label: 'Members only' },
  { value: 'wallet.*', label: 'Wallets only' },
  { value: SOME, label: 'Only these types' },
];

interface Form {
  url: string;
  /** A group of events, or `SOME`: then those of `types`. */
  group: string;
  types: string;
  description: string;
}

function formOf(webhook?: Webhook): Form {
  const types = webhook?.types ?? [];
  const group = GROUPS.some(({ value }) => value === types.join()) ? types.join() : SOME;
  const description = webhook?.description ?? '';
  return { url: webhook?.url ?? '', group, types: types.join(', '), description };
}

/** The types that a form names; a type that there is not is refused by the service. */
type Types = NonNullable<Webhook['types']>;
const typesIn = ({ group, types }: Form): Types =>
  (group === SOME ? types.split(/[\s,]+/).filter(Boolean) : [group]) as Types;

const fieldsIn = (form: Form) => ({
  url: form.url.trim(),
  types: form.group === '' ? null : typesIn(form),
  description: form.description.trim() || null,
});

interface FormProps {
  title: string;
  action: string;
  outcome: string;
  form: Form;
  onInput: (form: Form) => void;
  onSubmit: Parameters<typeof FormDialog>[0]['onSubmit'];
  onChanged?: () => void;
  onClose: () => void;
}

function WebhookForm({ form, onInput, ...dialog }: FormProps) {
  const { field, choice } = fieldsFor(form, (changes) => onInput({ ...form, ...changes }));
  const isComplete = form.url.trim() !== '' && typesIn(form).length > 0;
  return (
    <FormDialog {...dialog} canSubmit={isComplete} fields={['url', 'types', 'description']}>
      <TextField
        label="Address"
        placeholder="https://bot.acme.example/realmkeep"
        autoFocus
        {...field('url')}
      />
      <SelectField label="Events" choices={GROUPS} {...choice('group')} />
      {form.group === SOME && (
        <TextField
          label="Types"
          placeholder="points.*, member.created"
          hint="Separate them by commas."
          {...field('types')}
        />
      )}
      <TextField label="What it is for" placeholder="Shop bot" {...field('description')} />
    </FormDialog>
  );
}

interface CreatedProps {
  onCreated: (webhook: NewWebhook) => void;
  onClose: () => void;
}

export function CreateWebhookDialog({ onCreated, onClose }: CreatedProps) {
  const { api } = useRealm();
  const [form, setForm] = useState(formOf());
  const submit = async (write: Write) => {
    const fields = fieldsIn(form);
    onCreated(await api.createWebhook({ ...fields, ...write(fields) }));
  };
  return (
    <WebhookForm
      title="Add a webhook"
      action="Add"
      outcome="Events are sent from now on. The secret that signs them is shown once."
      form={form}
      onInput={setForm}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

interface EditProps {
  webhook: Webhook;
  onChanged: () => void;
  onClose: () => void;
}

export function EditWebhookDialog({ webhook, ...ends }: EditProps) {
  const { api } = useRealm();
  const [form, setForm] = useState(formOf(webhook));
  const submit = async (write: Write) => {
    const fields = fieldsIn(form);
    await api.webhook(webhook.id).update({ ...fields, ...write(fields) });
    return { text: 'Webhook changed' };
  };
  return (
    <WebhookForm
      title="Edit the webhook"
      action="Save"
      outcome="It goes on with the next event. Its secret stays the same."
      form={form}
      onInput={setForm}
      onSubmit={submit}
      {...ends}
    />
  );
}
