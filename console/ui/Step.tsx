import type { ComponentChildren } from 'preact';
import { Icon } from './Icon.tsx';

interface StepProps {
  title: string;
  isDone: boolean;
  /** Whether the rest stays when it is done. */
  isOpen?: boolean;
  children: ComponentChildren;
}

/** One of a list of things to do, with a tick once it is done. */
export function Step({ title, isDone, isOpen = !isDone, children }: StepProps) {
  return (
    <li class={isDone ? 'done' : ''}>
      <span class="mark" aria-hidden="true">
        {isDone && <Icon name="check" />}
      </span>
      <h2>
        {title}
        {isDone && <span class="visually-hidden"> (done)</span>}
      </h2>
      {isOpen && <div class="rest">{children}</div>}
    </li>
  );
}
