/** The most rows of a page of the service. A test compares it with the contract. */
export const MAX_PAGE = 500;
/** The most entries of a batch. */
export const MAX_BATCH = 1_000;
/** Beyond every record: the newest are those before it. */
export const JOURNAL_END = 999_999_999_999_999;
