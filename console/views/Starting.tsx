import { startProblem } from '../state/session.ts';
import { Brand } from '../ui/Brand.tsx';
import { ProblemDetails } from '../ui/States.tsx';

/** Until the service has said who is signed in. That takes a moment, unless it is away. */
export function Starting() {
  const error = startProblem.value;
  if (!error) return null;
  return (
    <main class="sign-in">
      <Brand />
      <div class="card" role="status">
        <h1>The service does not answer</h1>
        <p>This page goes on by itself as soon as it does.</p>
        <ProblemDetails error={error} />
      </div>
    </main>
  );
}
