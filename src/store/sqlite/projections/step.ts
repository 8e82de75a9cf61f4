/** What was projected of a realm in one transaction. */
export interface Step {
  /** In records, of which some are as much as many. */
  work: number;
  records: number;
  hasMore: boolean;
}

/** The work of a transaction. More records share pages, which takes a third less time for each. */
export const RECORDS_AT_ONCE = 8_000;
/** Less while there are readers, who wait for each transaction. */
export const RECORDS_BESIDE_READERS = 1_000;

export const NOTHING: Step = { work: 0, records: 0, hasMore: false };

/** Ends the transaction: what it has read about realms no longer holds. */
export const DISCARDED: Step = { work: RECORDS_AT_ONCE, records: RECORDS_AT_ONCE, hasMore: true };
