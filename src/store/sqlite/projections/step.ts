/** What was projected of a realm in one transaction. */
export interface Step {
  /** In records; that of a member who joins or leaves counts as many. */
  cost: number;
  records: number;
  hasMore: boolean;
}

/** The cost of a transaction. More records share pages, which takes a third less time for each. */
export const RECORDS_AT_ONCE = 8_000;
/** Less while there are readers, who wait for each transaction. */
export const RECORDS_BESIDE_READERS = 1_000;

export const NOTHING: Step = { cost: 0, records: 0, hasMore: false };

/** Ends the transaction: what it has read about realms no longer holds. */
export const DISCARDED: Step = { cost: RECORDS_AT_ONCE, records: RECORDS_AT_ONCE, hasMore: true };
