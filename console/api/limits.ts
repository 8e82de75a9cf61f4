/** The most rows of a page of the service. A test compares it with the contract. */
export const MAX_PAGE = 500;
/** Beyond every record: the newest are those before it. */
export const JOURNAL_END = 999_999_999_999_999;
