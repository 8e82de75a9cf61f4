/** What the service accepts as ids, as far as it can be seen without asking. */
const LARGEST_ID = 2n ** 63n - 1n;

export const isMemberId = (text: string): boolean =>
  /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= LARGEST_ID;

const PROVIDER = /^[a-z0-9][a-z0-9_-]{0,31}$/;
const ACCOUNT_ID = /^[\x21-\x7e]{1,128}$/;

export const isAccount = (provider: unknown, id: unknown): boolean =>
  typeof provider === 'string' &&
  PROVIDER.test(provider) &&
  typeof id === 'string' &&
  ACCOUNT_ID.test(id);
