import type { ApiKey, NewApiKey } from '@realmkeep/client';
import { useMemo, useState } from 'preact/hooks';
import { serviceNow } from '../api/clock.ts';
import { given } from '../api/service.ts';
import { useRealm } from '../state/realm.ts';
import { session } from '../state/session.ts';
import { toast } from '../state/toasts.ts';
import { DAY_MS } from '../text/format.ts';
import { overlapChoices } from '../text/overlaps.ts';
import { SCOPES, type Scope } from '../text/scopes.ts';
import { SelectField, TextField } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { SecretDialog } from '../ui/SecretDialog.tsx';
import { useIdempotencyKey } from '../ui/writes.ts';

const LASTS = [
  { value: '', label: 'Until it is revoked' },
  { value: '1', label: 'A day' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
];

const endAfter = (days: number): string => new Date(serviceNow() + days * DAY_MS).toISOString();

interface CreatedProps {
  onCreated: (key: NewApiKey) => void;
  onClose: () => void;
}

export function CreateKeyDialog({ onCreated, onClose }: CreatedProps) {
  const { api } = useRealm();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('write');
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
        label="Access"
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

/** Whether the reader is signed in with it. */
export const isOwnKey = ({ id }: ApiKey): boolean => id === session.value?.keyId;

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
      outcome={
        <>
          A new key with the same name and rights is issued and shown once.
          {isOwnKey(apiKey) && ' You are signed in with the old key: sign in with the new one.'}
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="The old key"
        name="overlapSeconds"
        value={overlap}
        // The new key has to be copied before the session ends with the old one.
        choices={overlapChoices('Works').slice(isOwnKey(apiKey) ? 1 : 0)}
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
    toast({ text: `Key “${apiKey.name}” revoked` });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={`Revoke the key “${apiKey.name}”?`}
      action="Revoke"
      tone="danger"
      canSubmit={true}
      outcome={
        <>
          Whoever uses it is refused within two seconds. This cannot be undone.
          {isOwnKey(apiKey) && <b> You are signed in with this key, and will be signed out.</b>}
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

export function NewKeyDialog({ apiKey, onClose }: { apiKey: NewApiKey; onClose: () => void }) {
  return (
    <SecretDialog
      title={`The key “${apiKey.name}”`}
      secret={apiKey.key}
      note="Only its fingerprint is stored."
      lost="Replace it to get another one, or revoke it."
      copyLabel="Copy the key"
      onClose={onClose}
    />
  );
}
