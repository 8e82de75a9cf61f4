import { signal } from '@preact/signals';

/** The realm that is being deleted here: it is gone before the answer comes, but stays in sight. */
export const deleting = signal<string | null>(null);
