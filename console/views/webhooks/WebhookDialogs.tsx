import type { NewWebhook, Webhook } from '@realmkeep/client';
import { useState } from 'preact/hooks';
import { given } from '../../api/service.ts';
import { useRealm } from '../../state/realm.ts';
import { toast } from '../../state/toasts.ts';
import { amountFault, parseAmount } from '../../text/amounts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { CodeBlock } from '../../ui/Values.tsx';
import { useIdempotencyKey } from '../../ui/writes.ts';

const GROUPS = [
  { value: '', label: 'All of them' },
  { value: 'points.*', label: 'Points only' },
  { value: 'member.*', label: 'Members only' },
  { value: 'wallet.*', label: 'Wallets only' },
] as const;

interface CreatedProps {
  onCreated: (webhook: NewWebhook) => void;
  onClose: () => void;
}

export function CreateWebhookDialog({ onCreated, onClose }: CreatedProps) {
  const { api } = useRealm();
  const [url, setUrl] = useState('');
  const [group, setGroup] = useState<(typeof GROUPS)[number]['value']>('');
  const [description, setDescription] = useState('');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = {
      url: url.trim(),
      ...(group === '' ? {} : { types: [group] }),
      ...given({ description: description.trim() }),
    };
    onCreated(await api.createWebhook({ ...fields, ...write(fields) }));
  };
  return (
    <FormDialog
      title="Add a webhook"
      action="Add"
      canSubmit={url.trim() !== ''}
      fields={['url', 'types', 'description']}
      outcome="Events are sent from now on. The secret that signs them is shown once."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        name="url"
        value={url}
        onInput={setUrl}
        placeholder="https://bot.acme.example/realmkeep"
        autoFocus
      />
      <SelectField
        label="Events"
        name="types"
        value={group}
        choices={[...GROUPS]}
        onChange={(value) => setGroup(GROUPS.find((one) => one.value === value)?.value ?? '')}
      />
      <TextField
        label="What it is for"
        name="description"
        value={description}
        onInput={setDescription}
        placeholder="Shop bot"
      />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Stops at once' },
  { value: '3600', label: 'Signs for another hour' },
  { value: '86400', label: 'Signs for another day' },
];

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
        choices={OVERLAPS}
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
    toast({ text: 'The webhook is deleted' });
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

export function SecretDialog({ webhook, onClose }: { webhook: NewWebhook; onClose: () => void }) {
  return (
    <Dialog title="The secret of the webhook" onClose={onClose}>
      <div class="body">
        {webhook.secret === null ? (
          <p>
            There is one, but the answer that had it was lost on the way, and it cannot be shown
            again. Replace it to get another one.
          </p>
        ) : (
          <>
            <p>
              Copy it now: it is shown only once. The receiver checks with it that events are real.
            </p>
            <CodeBlock code={webhook.secret} label="Copy the secret" autoFocus />
          </>
        )}
      </div>
      <footer>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </Dialog>
  );
}
