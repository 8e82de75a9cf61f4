import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visibleText } from '../text/visible.ts';
import { Button } from './Button.tsx';

interface PanelProps {
  label: string;
  head: ComponentChildren;
  children: ComponentChildren;
  onClose: () => void;
}

/** Opens beside a list, which stays where it was. */
export function Panel({ label, head, children, onClose }: PanelProps) {
  const ref = useRef<HTMLElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
    ref.current?.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside class="panel" aria-label={visibleText(label)} ref={ref} tabIndex={-1}>
      <header>
        {head}
        <div class="push">
          <Button tone="quiet" icon="close" label="Close" onClick={onClose} />
        </div>
      </header>
      <div class="body">{children}</div>
    </aside>
  );
}
