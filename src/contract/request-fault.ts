/** What is wrong with one place of a request. */
export interface RequestFault {
  pointer: string;
  detail: string;
}

/** Enough to act on, even if all entries of a list are invalid. */
export const MAX_FAULTS = 100;
