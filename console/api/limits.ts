/** The most rows of a page of the service. A test compares it with the contract. */
export const MAX_PAGE = 500;
