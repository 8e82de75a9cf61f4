import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';
import { hasFocus, returnFocus } from './focus.ts';
import { type Neighbours, PanelNav } from './PanelNav.tsx';

interface PanelProps {
  label: string;
  head: ComponentChildren;
  /** The rows beside it in the list that it was opened from. */
  neighbours?: Neighbours | undefined;
  children: ComponentChildren;
  onClose: () => void;
}

/** Whether panels take the whole page; it stays as it was chosen. */
const isFull = signal(false);
/** When the last one went. One that takes its place at once does not slide in. */
let wentAt = Number.NEGATIVE_INFINITY;
const AT_ONCE_MS = 50;

const NOBODY: Neighbours = { previous: undefined, next: undefined };

/** Opens beside a list, which stays where it was. */
export function Panel({ label, head, neighbours = NOBODY, children, onClose }: PanelProps) {
  const ref = useRef<HTMLElement>(null);
  const [isNext] = useState(() => performance.now() - wentAt < AT_ONCE_MS);
  useFocusReturn(ref);
  useEscape(ref, onClose);
  return (
    <aside
      class={`panel ${isFull.value ? 'full' : ''} ${isNext ? 'next' : ''}`}
      aria-label={visibleText(label)}
      ref={ref}
      tabIndex={-1}
    >
      <header>
        {head}
        <div class="row tight push">
          {(neighbours.previous ?? neighbours.next) && <PanelNav {...neighbours} />}
          <span class="not-on-phones">
            <Button
              tone="quiet"
              icon={isFull.value ? 'shrink' : 'expand'}
              label={isFull.value ? 'Beside the list' : 'Full page'}
              onClick={() => {
                isFull.value = !isFull.value;
              }}
            />
          </span>
          <Button tone="quiet" icon="close" label="Close" onClick={onClose} />
        </div>
      </header>
      <div class="body stack">{children}</div>
    </aside>
  );
}

/** The focus goes into the panel, and back to where it was when the panel is closed. */
function useFocusReturn(panel: { current: HTMLElement | null }): void {
  // Before it is painted: on a phone what had the focus is hidden then, and loses it.
  useLayoutEffect(() => {
    const element = panel.current;
    const opener = document.activeElement;
    element?.focus({ preventScroll: true });
    return () => {
      wentAt = performance.now();
      // When the panel is gone: on a phone it hides what is behind it.
      if (hasFocus(element)) queueMicrotask(() => returnFocus(opener));
    };
  }, [panel]);
}

/** Escape closes it, unless it means a dialog above it, or a field beside it. */
function useEscape(panel: { current: HTMLElement | null }, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      const target = event.target as Element;
      if (target.matches('input, select, textarea') && !panel.current?.contains(target)) return;
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [panel]);
}
