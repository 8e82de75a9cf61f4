import type { ApiKey, NewApiKey } from '@realmkeep/client';
import { useMemo, useState } from 'preact/hooks';
import { given } from '../api/service.ts';
import { useRealm } from '../state/realm.ts';
import { toast } from '../state/toasts.ts';
import { DAY_MS } from '../text/format.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SelectField, TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { CodeBlock } from '../ui/Values.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';

const SCOPES = [
  { value: 'read', label: 'Read', hint: 'It sees everything in this realm, and changes nothing.' },
  { value: 'write', label: 'Read and change', hint: 'Members, wallets and points.' },
  { value: 'admin', label: 'Everything', hint: 'Keys, webhooks and settings of this realm, too.' },
] as const;

const LASTS = [
  { value: '', label: 'Until it is revoked' },
  { value: '1', label: 'A day' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

const endAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

interface CreatedProps {
  onCreated: (key: NewApiKey) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ onCreated, onClose }: CreatedProps) {
  const { api } = useRealm();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'read' | 'write' | 'admin'>('write');
  const [days, setDays] = useState('');
  // Once for all attempts, which are the same call only as long as its end is the same.
  const expiresAt = useMemo(() => days && endAfter(Number(days)), [days]);
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = { name: name.trim(), scopes: [scope], ...given({ expiresAt }) };
    onCreated(await api.createKey({ ...fields, ...write(fields) }));
  };
  return (
    <FormDialog
      title="Issue a key"
      action="Issue"
      canSubmit={name.trim() !== ''}
      fields={['name', 'scopes', 'expiresAt']}
      outcome="The key is shown once, right after this."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="What it is for"
        name="name"
        value={name}
        onInput={setName}
        placeholder="Quest bot"
        autoFocus
      />
      <SelectField
        label="What it may do"
        name="scopes"
        value={scope}
        choices={[...SCOPES]}
        hint={SCOPES.find(({ value }) => value === scope)?.hint}
        onChange={(value) => setScope(SCOPES.find((one) => one.value === value)?.value ?? 'read')}
      />
      <SelectField
        label="How long"
        name="expiresAt"
        value={days}
        choices={LASTS}
        onChange={setDays}
      />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Stops at once' },
  { value: '3600', label: 'Works for another hour' },
  { value: '86400', label: 'Works for another day' },
];

export function RotateKeyDialog({ apiKey, onCreated, onClose }: CreatedProps & { apiKey: ApiKey }) {
  const { api } = useRealm();
  const [overlap, setOverlap] = useState('3600');
  const write = useIdempotencyKey();
  const submit = async (): Promise<void> => {
    const fields = { overlapSeconds: Number(overlap) };
    onCreated(await api.key(apiKey.id).rotate({ ...fields, ...write(fields) }));
  };
  return (
    <FormDialog
      title={`Replace the key “${apiKey.name}”?`}
      action="Replace"
      canSubmit={true}
      fields={['overlapSeconds']}
      outcome="A new key with the same name and rights is issued and shown once."
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="The old key"
        name="overlapSeconds"
        value={overlap}
        choices={OVERLAPS}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}

interface RevokeProps {
  apiKey: ApiKey;
  onDone: () => void;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, onDone, onClose }: RevokeProps) {
  const { api } = useRealm();
  const submit = async (): Promise<void> => {
    await api.key(apiKey.id).revoke();
    toast({ text: `The key “${apiKey.name}” is revoked` });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Revoke the key “${apiKey.name}”?`}
      action="Revoke"
      tone="danger"
      canSubmit={true}
      outcome="Whoever uses it is refused within two seconds. This cannot be undone."
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

export function NewKeyDialog({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  return (
    <Dialog title={`The key “${apiKey.name}”`} onClose={onClose}>
      <div class="body">
        {apiKey.key === null ? (
          <p>
            It is issued, but the answer that had it was lost on the way, and it cannot be shown
            again. Replace it to get another one, or revoke it.
          </p>
        ) : (
          <>
            <p>Copy it now: it is shown only once, and only its fingerprint is stored.</p>
            <CodeBlock code={apiKey.key} label="Copy the key" autoFocus />
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
