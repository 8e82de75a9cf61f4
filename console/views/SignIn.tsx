import { useEffect, useState } from 'preact/hooks';
import { usePasskeySignIn } from '../state/passkeys.ts';
import { hasEnded, linkProblem, signIn } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';
import { Entrance } from '../ui/Entrance.tsx';
import { TextField } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/States.tsx';
import { submits } from '../ui/submit.ts';

/** People sign in by a passkey. A key goes to the service once, in exchange for a session. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const passkeys = usePasskeySignIn(setFailure);
  const error = failure ?? linkProblem.value;
  useEffect(() => {
    document.title = 'Sign in · Realmkeep';
  }, []);
  const start = (): void => {
    setFailure(undefined);
    linkProblem.value = undefined;
  };
  const enter = async (): Promise<void> => {
    setBusy(true);
    start();
    try {
      await signIn({ key: key.trim() });
    } catch (error) {
      setFailure(error as Error);
      setBusy(false);
    }
  };
  const usePasskey = (): void => {
    start();
    void passkeys.press();
  };
  return (
    <Entrance>
      <form class="card" onSubmit={submits(key.trim() !== '' && enter)}>
        <h1>Sign in</h1>
        {hasEnded.value && <p class="muted">Your session has ended.</p>}
        {passkeys.isHere && (
          <>
            <Button icon="passkey" tone="primary" busy={passkeys.busy} onClick={usePasskey}>
              Use a passkey
            </Button>
            <p class="either caption">or</p>
          </>
        )}
        <TextField
          label="Key"
          name="key"
          isSecret
          autoComplete="current-password webauthn"
          class="mono"
          value={key}
          onInput={setKey}
          placeholder="rk_…"
          autoFocus
          hint="The root key or a key of a realm. The console does not store it."
        />
        {error && <ProblemNote error={error} />}
        <Button
          type="submit"
          {...(!passkeys.isHere && { tone: 'primary' })}
          disabled={busy || key.trim() === ''}
        >
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <p class="caption">
        {passkeys.isHere === false && (
          <>
            Passkeys work at <a href={passkeys.origin}>{passkeys.origin}</a>.{' '}
          </>
        )}
        New here, or on a new device? Ask an admin for an invitation.
      </p>
    </Entrance>
  );
}
