import { useEffect, useRef, useState } from 'preact/hooks';
import { dismiss, type Toast, toasts, undo } from '../state/toasts.ts';
import { Button } from './Button.tsx';
import { hasFocus, returnFocus } from './focus.ts';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

/** As long as an undo is offered. */
const SHOWN_MS = 10_000;

/** What was just done, with a way back. */
export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map((one) => (
        <ToastCard key={one.id} one={one} />
      ))}
    </div>
  );
}

function ToastCard({ one }: { one: Toast }) {
  const { text, href, isInDoubt = false, isProblem = isInDoubt } = one;
  const { ref, handlers } = useToastTimer(one.id);
  return (
    <div class="toast" ref={ref} {...handlers}>
      <Icon name={isProblem ? 'alert' : 'check'} />
      {href ? (
        <a href={href}>
          <Text value={text} />
        </a>
      ) : (
        <span>
          <Text value={text} />
        </span>
      )}
      {isInDoubt && <span>It may be undone: no answer came. Press Undo again.</span>}
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
  );
}

/** It stays while the pointer or the focus is on it; then the focus goes back to where it was. */
function useToastTimer(id: number) {
  const ref = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [isKept, setKept] = useState(false);
  useEffect(() => {
    if (isKept) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isKept, id]);
  useEffect(() => {
    const element = ref.current;
    return () => {
      if (cameFrom.current && hasFocus(element)) returnFocus(cameFrom.current);
    };
  }, []);
  const handlers = {
    onPointerEnter: () => setKept(true),
    onPointerLeave: () => setKept(false),
    onFocusIn: (event: FocusEvent) => {
      const from = event.relatedTarget as Element | null;
      if (!ref.current?.contains(from)) cameFrom.current = from;
      setKept(true);
    },
    onFocusOut: () => setKept(false),
  };
  return { ref, handlers };
}
