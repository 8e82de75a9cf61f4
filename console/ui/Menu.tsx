import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { IconName } from '../text/icons.ts';
import { visibleText } from '../text/visible.ts';
import { Icon } from './Icon.tsx';
import { Text } from './Text.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  href?: string;
  /** Whether the reader is at `href`. */
  isCurrent?: boolean;
  isDanger?: boolean;
  /** Of what is on or off: it is switched, and the menu stays open. */
  isChecked?: boolean;
  onSelect?: () => void;
}

interface MenuProps {
  label: string;
  /** What the items belong to. */
  heading?: string | undefined;
  /** The look of the button that opens it. */
  class?: string;
  children: ComponentChildren;
  items: (MenuItem | null)[];
  side?: 'start' | 'up' | 'up start';
}

/** A null among the items is a line between groups. */
export function Menu(props: MenuProps) {
  const { label, heading, class: look = 'button', children, items, side } = props;
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // A dialog that an item opens gives the focus back to what had it.
  const leave = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useKeys(ref, open, leave);
  useClickElsewhere(ref, open, () => setOpen(false));
  const isCurrent = items.some((item) => item?.isCurrent);
  return (
    <div class={`menu ${side ?? ''}`} ref={ref}>
      <button
        type="button"
        class={look}
        ref={button}
        title={visibleText(label)}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(isCurrent ? { 'aria-current': true } : {})}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div class="menu-items" role="menu" aria-label={visibleText(label)}>
          {heading !== undefined && (
            <div class="heading caption ellipsis">
              <Text value={heading} />
            </div>
          )}
          {items.map((item, index) =>
            item ? (
              <Item key={item.label} item={item} onLeave={leave} />
            ) : (
              <hr key={`line ${index}`} />
            ),
          )}
        </div>
      )}
    </div>
  );
}

/** What can be done with a row of a table, in its column `menu-cell`. */
export const RowMenu = ({ label, items }: Pick<MenuProps, 'label' | 'items'>) => (
  <Menu label={label} class="button quiet small icon-only" items={items}>
    <Icon name="more" />
  </Menu>
);

function Item({ item, onLeave }: { item: MenuItem; onLeave: () => void }) {
  const { label, icon, href, isCurrent = false, isDanger = false, isChecked, onSelect } = item;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {label}
    </>
  );
  const attributes = { class: isDanger ? 'danger' : '', tabIndex: -1 };
  if (href !== undefined) {
    return (
      <a
        {...attributes}
        {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
        href={href}
        role="menuitem"
        onClick={onLeave}
      >
        {content}
      </a>
    );
  }
  if (isChecked !== undefined) {
    return (
      <button
        {...attributes}
        type="button"
        role="menuitemcheckbox"
        aria-checked={isChecked}
        onClick={onSelect}
      >
        {isChecked ? <Icon name="check" /> : <span class="icon-space" />}
        {label}
      </button>
    );
  }
  const select = (): void => {
    onLeave();
    onSelect?.();
  };
  return (
    <button {...attributes} type="button" role="menuitem" onClick={select}>
      {content}
    </button>
  );
}

type Ref = { current: HTMLElement | null };

/** Where each key goes from the item at an index, of so many; null leaves the menu. */
const MOVES: Record<string, (at: number, count: number) => number | null> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
  Escape: () => null,
  Tab: () => null,
};

function useKeys(menu: Ref, open: boolean, leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  // Before it is painted, so that no key is too quick.
  useLayoutEffect(() => {
    if (!open) return;
    const items = () => [
      ...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
    ];
    items()[0]?.focus();
    const onKey = (event: KeyboardEvent): void => {
      const list = items();
      const at = list.indexOf(document.activeElement as HTMLElement);
      const to = MOVES[event.key]?.(at, list.length);
      if (to === undefined) return;
      if (to === null) latest.current();
      else list[to]?.focus();
      event.stopPropagation();
      // From the button that opened the menu, Tab goes on as it would have without it.
      if (event.key !== 'Tab') event.preventDefault();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [open, menu]);
}

function useClickElsewhere(menu: Ref, open: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    const onPress = (event: PointerEvent): void => {
      if (!menu.current?.contains(event.target as Node)) latest.current();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open, menu]);
}
