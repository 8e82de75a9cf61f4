import type { ComponentChildren } from 'preact';
import type { IconName } from '../text/icons.ts';
import { Icon } from './Icon.tsx';

interface ButtonProps {
  children?: ComponentChildren;
  /** The name of a button that shows only its icon. */
  label?: string;
  icon?: IconName;
  tone?: 'primary' | 'danger' | 'quiet';
  small?: boolean;
  type?: 'button' | 'submit';
  disabled?: boolean;
  /** What it does is under way. Unlike a disabled one it keeps the focus. */
  busy?: boolean;
  onClick?: (() => void) | undefined;
}

export function Button({
  children,
  label,
  icon,
  tone,
  small,
  type = 'button',
  disabled = false,
  busy = false,
  onClick,
}: ButtonProps) {
  const classes = ['button', tone, small && 'small', !children && 'icon-only'];
  return (
    <button
      type={type}
      class={classes.filter(Boolean).join(' ')}
      disabled={disabled}
      aria-disabled={busy}
      aria-label={label}
      title={label}
      onClick={busy ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Looks like a button and is a link: it can be opened in a new tab. */
export function LinkButton(props: {
  href: string;
  icon?: IconName;
  /** The name of one that shows only its icon. */
  label?: string;
  tone?: 'primary' | 'quiet';
  children: ComponentChildren;
}) {
  const { href, icon, tone = '', children } = props;
  const label = children ? undefined : props.label;
  return (
    <a
      class={`button ${tone} ${children ? '' : 'icon-only'}`}
      href={href}
      aria-label={label}
      title={label}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
