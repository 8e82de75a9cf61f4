import type { NewWebhook, Webhook } from '@realmkeep/client';
import { useRealm } from '../../state/realm.ts';
import { amountFault, parseAmount } from '../../text/amounts.ts';
import { overlapChoices } from '../../text/overlaps.ts';
import { SelectField, TextField, useForm } from '../../ui/Field.tsx';
import { FormDialog, type Write } from '../../ui/FormDialog.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';

interface CreatedProps {
  onCreated: (webhook: NewWebhook) => void;
  onClose: () => void;
}

export function RotateSecretDialog(props: CreatedProps & { webhook: Webhook }) {
  const { webhook, onCreated, onClose } = props;
  const { api } = useRealm();
  const { typed, choice } = useForm({ overlapSeconds: '86400' });
  const submit = async (write: Write) => {
    const fields = { overlapSeconds: Number(typed.overlapSeconds) };
    onCreated(await api.webhook(webhook.id).rotate({ ...fields, ...write(fields) }));
    onClose();
  };
  return (
    <FormDialog
      title="Replace the secret?"
      action="Replace"
      fields={['overlapSeconds']}
      outcome="A new secret is shown once."
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="The old secret"
        choices={overlapChoices('Signs')}
        {...choice('overlapSeconds')}
      />
    </FormDialog>
  );
}

interface DoneProps {
  webhook: Webhook;
  onChanged: () => void;
  onClose: () => void;
}

export function ReplayDialog({ webhook, ...ends }: DoneProps) {
  const { api } = useRealm();
  const { typed, field } = useForm({ fromSeq: '' });
  const fromSeq = parseAmount(typed.fromSeq);
  const submit = async (write: Write) => {
    const fields = { fromSeq: fromSeq ?? 1 };
    await api.webhook(webhook.id).replay({ ...fields, ...write(fields) });
    return { text: 'Events are sent again' };
  };
  return (
    <FormDialog
      title="Send events again"
      action="Send again"
      canSubmit={fromSeq !== null}
      fields={['fromSeq']}
      outcome="They keep their ids, so that the receiver can tell them from new ones."
      onSubmit={submit}
      {...ends}
    >
      <TextField
        label="From record"
        class="number"
        inputMode="numeric"
        hint={amountFault(typed.fromSeq)}
        autoFocus
        {...field('fromSeq')}
      />
    </FormDialog>
  );
}

export function DeleteWebhookDialog({ webhook, ...ends }: DoneProps) {
  const { api } = useRealm();
  const submit = async () => {
    await api.webhook(webhook.id).delete();
    return { text: 'Webhook deleted' };
  };
  return (
    <FormDialog
      title="Delete this webhook?"
      action="Delete"
      tone="danger"
      outcome="Nothing more is sent to it. This cannot be undone."
      onSubmit={submit}
      {...ends}
    />
  );
}

export function WebhookSecretDialog(props: { webhook: NewWebhook; onClose: () => void }) {
  return (
    <SecretDialog
      title="The secret of the webhook"
      secret={props.webhook.secret}
      note="The receiver checks with it that events are real."
      lost="Replace it to get another one."
      copyLabel="Copy the secret"
      onClose={props.onClose}
    />
  );
}
