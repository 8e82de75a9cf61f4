import { effect, signal } from '@preact/signals';

const STORED = 'realmkeep-hidden-columns';

/** The columns of the list of members that the reader has hidden; kept in this browser. */
export const hiddenColumns = signal<readonly string[]>(
  (localStorage.getItem(STORED) ?? '').split(' ').filter((id) => id !== ''),
);

effect(() => localStorage.setItem(STORED, hiddenColumns.value.join(' ')));

export const toggleColumn = (id: string): void => {
  const hidden = hiddenColumns.value;
  hiddenColumns.value = hidden.includes(id)
    ? hidden.filter((other) => other !== id)
    : [...hidden, id];
};
