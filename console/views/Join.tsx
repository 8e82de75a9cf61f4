import type { CurrentPerson } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addOwnPasskey, becomeOwner, usePasskeys } from '../state/passkeys.ts';
import { invitation, session, signIn } from '../state/session.ts';
import { toast } from '../state/toasts.ts';
import { roleName } from '../text/people.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Welcome } from '../ui/Entrance.tsx';
import { TextField } from '../ui/Field.tsx';
import { submits, useSubmit } from '../ui/submit.ts';
import { useIdempotencyKey } from '../ui/writes.ts';

/** Where an invitation leads: to a passkey, and then into the console. */
export function Join() {
  const { route } = useLocation();
  const goOn = (): void => route('/', true);
  const { person = null, isRoot = false } = session.value ?? {};
  const isLost = invitation.value === null && person === null && !isRoot;
  useEffect(() => {
    if (isLost) goOn();
  }, [isLost]);
  if (invitation.value !== null) return <Accept code={invitation.value} />;
  if (person) return <FirstPasskey person={person} onDone={goOn} />;
  return isRoot ? <FirstOwner onDone={goOn} /> : null;
}

/** Not at once: programs that look at links in messages must not use it up. */
export function Accept({ code }: { code: string }) {
  const { busy, error, submit } = useSubmit(() => signIn({ code }));
  return (
    <Welcome title="You are invited" error={error}>
      <p>Realmkeep keeps a community’s members and points. This link signs you in, once.</p>
      <Button tone="primary" busy={busy} onClick={submit}>
        Accept the invitation
      </Button>
    </Welcome>
  );
}

/** The first start: whoever has its link becomes the owner, or goes on without a name. */
function FirstOwner({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const write = useIdempotencyKey();
  const { busy, error, submit } = useSubmit(async () => {
    const { idempotencyKey } = write({ name: name.trim() });
    await becomeOwner(name.trim(), idempotencyKey);
  });
  return (
    <Welcome title="Who are you?" error={error}>
      <p>You will own this service. What you change is recorded under your name.</p>
      <form class="stack" onSubmit={submits(name.trim() !== '' && submit)}>
        <TextField label="Your name" name="name" value={name} onInput={setName} autoFocus />
        <Button type="submit" tone="primary" busy={busy} disabled={name.trim() === ''}>
          Continue
        </Button>
        <Button tone="quiet" onClick={onDone}>
          Go on without a name
        </Button>
      </form>
    </Welcome>
  );
}

function FirstPasskey({ person, onDone }: { person: CurrentPerson; onDone: () => void }) {
  const { isHere, origin } = usePasskeys();
  const { busy, error, submit } = useSubmit(async () => {
    await addOwnPasskey();
    toast({ text: 'Passkey added' });
    onDone();
  });
  return (
    <Welcome title={`Welcome, ${visibleText(person.name ?? '')}`} error={error}>
      <p>
        You are signed in as {roleName(person.role).toLowerCase()}.{' '}
        {isHere === false ? (
          <>
            Passkeys work at <a href={origin}>{origin}</a> alone. Without one, ask for a new link
            next time.
          </>
        ) : (
          'With a passkey of this device you sign in by one touch next time.'
        )}
      </p>
      {isHere !== false && (
        <Button tone="primary" icon="passkey" busy={busy || isHere === undefined} onClick={submit}>
          Create a passkey
        </Button>
      )}
      <Button tone={isHere === false ? 'primary' : 'quiet'} onClick={onDone}>
        {isHere === false ? 'Continue' : 'Not now'}
      </Button>
    </Welcome>
  );
}
