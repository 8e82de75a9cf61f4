import { useEffect, useState } from 'preact/hooks';
import { hasEnded, linkProblem, signIn } from '../state/session.ts';
import { Brand } from '../ui/Brand.tsx';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/States.tsx';

/** The key goes to the service once, in exchange for a session. It is not stored here. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const error = failure ?? linkProblem.value;
  useEffect(() => {
    document.title = 'Sign in · Realmkeep';
  }, []);
  const enter = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    linkProblem.value = undefined;
    try {
      await signIn({ key: key.trim() });
    } catch (error) {
      setFailure(error as Error);
      setBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <Brand />
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') void enter();
        }}
      >
        <h1>Sign in</h1>
        {hasEnded.value && <p class="muted">Your session has ended.</p>}
        <TextField
          label="Key"
          name="key"
          isSecret
          autoComplete="current-password"
          class="mono"
          value={key}
          onInput={setKey}
          placeholder="rk_…"
          autoFocus
          hint="The root key or a key of a realm. The console does not store it."
        />
        {error && <ProblemNote error={error} />}
        <Button type="submit" tone="primary" disabled={busy || key.trim() === ''}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <p class="caption">The first start of the service shows a link that signs in directly.</p>
    </main>
  );
}
