import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The title of the view that is shown. */
export const viewTitle = signal('');

interface ViewProps {
  title: string;
  /** The look of what is in it; without one it says so itself. */
  class?: `content${string}`;
  children: ComponentChildren;
}

/** What changes inside the frame, which says its title. */
export function View({ title, class: look, children }: ViewProps) {
  // Before anything is painted: the title never belongs to the view before.
  useLayoutEffect(() => {
    viewTitle.value = title;
  }, [title]);
  if (look !== undefined) return <div class={look}>{children}</div>;
  return <>{children}</>;
}
