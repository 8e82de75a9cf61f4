import { useState } from 'preact/hooks';
import { linkProblem, signIn } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { ProblemNote } from '../ui/States.tsx';

/** The key goes to the service once, in exchange for a session. It is not stored here. */
export function SignIn() {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState<Error>();
  const [busy, setBusy] = useState(false);
  const error = failure ?? linkProblem.value;
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
      <div class="brand">
        <span class="realm-mark" aria-hidden="true">
          R
        </span>
        Realmkeep
      </div>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (key.trim() !== '') void enter();
        }}
      >
        <h1>Sign in</h1>
        <TextField
          label="Key"
          name="key"
          isSecret
          class="mono"
          value={key}
          onInput={setKey}
          placeholder="rk_…"
          autoFocus
          hint="The root key or a key of a realm. It is not stored in the browser."
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
