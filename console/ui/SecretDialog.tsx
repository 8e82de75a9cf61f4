import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { CodeBlock } from './Values.tsx';

interface SecretProps {
  title: string;
  /** Null if the answer that had it was lost on the way. */
  secret: string | null;
  /** What it is for, or how it is kept. */
  note: string;
  /** What to do if it was lost. */
  lost: string;
  copyLabel: string;
  onClose: () => void;
}

/** Something that the service shows only once. */
export function SecretDialog({ title, secret, note, lost, copyLabel, onClose }: SecretProps) {
  return (
    <Dialog title={title} mustConfirm={secret !== null} onClose={onClose}>
      <div class="body">
        {secret === null ? (
          <p>
            There is one, but the answer that had it was lost on the way, and it cannot be shown
            again. {lost}
          </p>
        ) : (
          <>
            <p>Copy it now: it is shown only once. {note}</p>
            <CodeBlock code={secret} label={copyLabel} autoFocus />
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
