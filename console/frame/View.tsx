import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The title of the view that is shown. */
export const viewTitle = signal('');

/** What changes inside the frame, which says its title. */
export function View({ title, children }: { title: string; children: ComponentChildren }) {
  // Before anything is painted: the title never belongs to the view before.
  useLayoutEffect(() => {
    viewTitle.value = title;
  }, [title]);
  return <>{children}</>;
}
