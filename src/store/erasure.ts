/** Few enough records in one transaction not to delay writers. */
export const RECORDS_PER_STEP = 5_000;

/** The ways in which the text of a stored answer names a member. */
export const mentionsOf = (memberId: string): [string, string, string] => [
  `"id":"${memberId}"`,
  `"memberId":"${memberId}"`,
  `"recipientId":"${memberId}"`,
];
