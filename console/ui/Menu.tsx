import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { IconName } from '../text/icons.ts';
import { visibleText } from '../text/visible.ts';
import { Icon } from './Icon.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  href?: string;
  isDanger?: boolean;
  onSelect?: () => void;
}

interface MenuProps {
  label: string;
  /** The look of the button that opens it. */
  class?: string;
  children: ComponentChildren;
  items: (MenuItem | null)[];
  side?: 'start' | 'up' | 'up start';
}

/** A null among the items is a line between groups. */
export function Menu({ label, class: look = 'button', children, items, side }: MenuProps) {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const close = () => setOpen(false);
  useClosing(ref, open, close);
  return (
    <div class={`menu ${side ?? ''}`} ref={ref}>
      <button
        type="button"
        class={look}
        title={visibleText(label)}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div class="menu-items" role="menu" aria-label={visibleText(label)}>
          {items.map((item, index) =>
            item ? (
              <Item key={item.label} item={item} close={close} />
            ) : (
              <hr key={`line ${index}`} />
            ),
          )}
        </div>
      )}
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const content = (
    <>
      {item.icon && <Icon name={item.icon} />}
      {item.label}
    </>
  );
  const look = item.isDanger ? 'danger' : '';
  if (item.href !== undefined) {
    return (
      <a href={item.href} role="menuitem" class={look} onClick={close}>
        {content}
      </a>
    );
  }
  const select = (): void => {
    close();
    item.onSelect?.();
  };
  return (
    <button type="button" role="menuitem" class={look} onClick={select}>
      {content}
    </button>
  );
}

/** Escape and a click elsewhere close it; arrows move through it. */
function useClosing(ref: { current: HTMLElement | null }, open: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    const items = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    items()[0]?.focus();
    const onKey = (event: KeyboardEvent): void => {
      const list = items();
      const at = list.indexOf(document.activeElement as HTMLElement);
      if (event.key === 'ArrowDown') list[(at + 1) % list.length]?.focus();
      else if (event.key === 'ArrowUp') list.at(at - 1)?.focus();
      else if (event.key === 'Escape') {
        latest.current();
        ref.current?.querySelector('button')?.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const onPress = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) latest.current();
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [open, ref]);
}
