/** What the answer about a member is kept by. */
export const memberKey = (realm: string, id: string): string => `member ${realm} ${id}`;
