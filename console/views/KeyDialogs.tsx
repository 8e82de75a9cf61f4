import type { ApiKey, NewApiKey } from '@realmkeep/client';
import { useMemo } from 'preact/hooks';
import { serviceNow } from '../api/clock.ts';
import { given } from '../api/service.ts';
import { useRealm } from '../state/realm.ts';
import { session } from '../state/session.ts';
import { DAY_MS } from '../text/format.ts';
import { overlapChoices } from '../text/overlaps.ts';
import { SCOPES, type Scope } from '../text/scopes.ts';
import { SelectField, TextField, useForm } from '../ui/Field.tsx';
import { FormDialog, type Write } from '../ui/FormDialog.tsx';
import { SecretDialog } from '../ui/SecretDialog.tsx';

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
  const { typed, field, choice } = useForm({ name: '', scopes: 'write' as Scope, expiresAt: '' });
  const { scopes, expiresAt: days } = typed;
  const name = typed.name.trim();
  // Once for all attempts, which are the same call only as long as its end is the same.
  const expiresAt = useMemo(() => days && endAfter(Number(days)), [days]);
  const submit = async (write: Write) => {
    const fields = { name, scopes: [scopes], ...given({ expiresAt }) };
    onCreated(await api.createKey({ ...fields, ...write(fields) }));
  };
  return (
    <FormDialog
      title="Issue a key"
      action="Issue"
      canSubmit={name !== ''}
      fields={['name', 'scopes', 'expiresAt']}
      outcome="The key is shown once, right after this."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="What it is for" placeholder="Quest bot" autoFocus {...field('name')} />
      <SelectField
        label="Access"
        choices={[...SCOPES]}
        hint={SCOPES.find(({ value }) => value === scopes)?.hint}
        {...choice('scopes')}
      />
      <SelectField label="How long" choices={LASTS} {...choice('expiresAt')} />
    </FormDialog>
  );
}

/** Whether the reader is signed in with it. */
export const isOwnKey = ({ id }: ApiKey): boolean => id === session.value?.keyId;

export function RotateKeyDialog({ apiKey, onCreated, onClose }: CreatedProps & { apiKey: ApiKey }) {
  const { api } = useRealm();
  const { typed, choice } = useForm({ overlapSeconds: '3600' });
  const submit = async (write: Write) => {
    const fields = { overlapSeconds: Number(typed.overlapSeconds) };
    onCreated(await api.key(apiKey.id).rotate({ ...fields, ...write(fields) }));
  };
  return (
    <FormDialog
      title={`Replace the key “${apiKey.name}”?`}
      action="Replace"
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
        // The new key has to be copied before the session ends with the old one.
        choices={overlapChoices('Works').slice(isOwnKey(apiKey) ? 1 : 0)}
        {...choice('overlapSeconds')}
      />
    </FormDialog>
  );
}

interface RevokeProps {
  apiKey: ApiKey;
  onChanged: () => void;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, ...ends }: RevokeProps) {
  const { api } = useRealm();
  const submit = async () => {
    await api.key(apiKey.id).revoke();
    return { text: `Key “${apiKey.name}” revoked` };
  };
  return (
    <FormDialog
      title={`Revoke the key “${apiKey.name}”?`}
      action="Revoke"
      tone="danger"
      outcome={
        <>
          Whoever uses it is refused within two seconds. This cannot be undone.
          {isOwnKey(apiKey) && <b> You are signed in with this key, and will be signed out.</b>}
        </>
      }
      onSubmit={submit}
      {...ends}
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
