import { storedWords } from './stored.ts';

/** The columns of the list of members that the reader has hidden; kept in this browser. */
export const hiddenColumns = storedWords('realmkeep-hidden-columns');

export const toggleColumn = (id: string): void => {
  const hidden = hiddenColumns.value;
  hiddenColumns.value = hidden.includes(id)
    ? hidden.filter((other) => other !== id)
    : [...hidden, id];
};
