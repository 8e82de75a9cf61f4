import type { NewWebhook, Webhook } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountFault, parseAmount } from '../../text/amounts.ts';
import { overlapChoices } from '../../text/overlaps.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { SecretDialog } from '../../ui/SecretDialog.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

interface CreatedProps {
  onCreated: (webhook: NewWebhook) => void;
  onClose: () => void;
}

export function RotateSecretDialog({
  webhook,
  onCreated,
  onClose,
}: CreatedProps & { webhook: Webhook }) {
  const { api } = useRealm();
  const [overlap, setOverlap] = useState('86400');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = { overlapSeconds: Number(overlap) };
    onCreated(await api.webhook(webhook.id).rotate({ ...fields, ...write(fields) }));
    onClose();
  };
  return (
    <FormDialog
      title="Replace the secret?"
      action="Replace"
      canSubmit={true}
      fields={['overlapSeconds']}
      outcome="A new secret is shown once."
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="The old secret"
        name="overlapSeconds"
        value={overlap}
        choices={overlapChoices('Signs')}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}

interface DoneProps {
  webhook: Webhook;
  onDone: () => void;
  onClose: () => void;
}

export function ReplayDialog({ webhook, onDone, onClose }: DoneProps) {
  const { api } = useRealm();
  const [typed, setTyped] = useState('');
  const write = useIdempotencyKey();
  const fromSeq = parseAmount(typed);
  const submit = async (): Promise<void> => {
    const fields = { fromSeq: fromSeq ?? 1 };
    await api.webhook(webhook.id).replay({ ...fields, ...write(fields) });
    toast({ text: 'Events are sent again' });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title="Send events again"
      action="Send again"
      canSubmit={fromSeq !== null}
      fields={['fromSeq']}
      outcome="They keep their ids, so that the receiver can tell them from new ones."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="From record"
        name="fromSeq"
        class="number"
        inputMode="numeric"
        value={typed}
        onInput={setTyped}
        hint={amountFault(typed)}
        autoFocus
      />
    </FormDialog>
  );
}

export function DeleteWebhookDialog({ webhook, onDone, onClose }: DoneProps) {
  const { api } = useRealm();
  const submit = async (): Promise<void> => {
    await api.webhook(webhook.id).delete();
    toast({ text: 'Webhook deleted' });
    onClose();
    onDone();
  };
  return (
    <FormDialog
      title="Delete this webhook?"
      action="Delete"
      tone="danger"
      canSubmit={true}
      outcome="Nothing more is sent to it. This cannot be undone."
      onSubmit={submit}
      onClose={onClose}
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
