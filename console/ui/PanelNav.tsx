import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { IconName } from '../text/icons.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';

/** The addresses of the rows beside the one that a panel shows. */
export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

export function neighboursOf(
  rows: readonly { id: string }[] | undefined,
  id: string,
  href: (id: string) => string,
): Neighbours {
  const at = rows?.findIndex((row) => row.id === id) ?? -1;
  const hrefAt = (index: number): string | undefined => {
    const row = at < 0 ? undefined : rows?.[index];
    return row && href(row.id);
  };
  return { previous: hrefAt(at - 1), next: hrefAt(at + 1) };
}

/** Goes through the list without closing the panel: by its buttons, or with K and J. */
export function PanelNav({ previous, next }: Neighbours) {
  const { route } = useLocation();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const href = { k: previous, j: next }[event.key];
      const isTyping = (event.target as Element).matches('input, select, textarea');
      const isOther = event.ctrlKey || event.metaKey || event.altKey || isTyping;
      if (href && !isOther && !document.querySelector('dialog[open]')) route(href);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [previous, next]);
  return (
    <>
      <Go href={previous} label="Previous (K)" icon="up" />
      <Go href={next} label="Next (J)" icon="down" />
    </>
  );
}

function Go({ href, label, icon }: { href: string | undefined; label: string; icon: IconName }) {
  if (href === undefined) return <Button tone="quiet" icon={icon} label={label} disabled />;
  return (
    <a class="button quiet icon-only" href={href} aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  );
}
