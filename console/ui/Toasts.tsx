import { dismiss, toasts, undo } from '../state/toasts.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

/** What was just done, with a way back. */
export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map((one) => (
        <div key={one.id} class="toast">
          <Icon name={one.isProblem ? 'alert' : 'check'} />
          {one.href ? (
            <a href={one.href}>
              <Text value={one.text} />
            </a>
          ) : (
            <span>
              <Text value={one.text} />
            </span>
          )}
          {one.undo && (
            <Button small onClick={() => void undo(one)}>
              Undo
            </Button>
          )}
          <button
            type="button"
            class="button small icon-only close"
            aria-label="Dismiss"
            onClick={() => dismiss(one.id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
