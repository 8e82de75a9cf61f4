import { signal } from '@preact/signals';

/** The realm that is being deleted here: it is gone before the answer comes, but stays in sight. */
export const deleting = signal<string | null>(null);

/** The realm that is archived here, whose dialog says so: of others it is said that they were. */
export const archiving = signal<string | null>(null);
