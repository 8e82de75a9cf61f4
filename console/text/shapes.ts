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

const EVM = /^0x[0-9a-f]{40}$/i;
const BECH32 = /^(bc|tb)1[a-z0-9]{11,87}$/i;
/** Of the length that Solana and Bitcoin addresses have. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{26,44}$/;

export const isWallet = (text: string): boolean =>
  [EVM, BECH32, BASE58].some((shape) => shape.test(text));

/** The same for every way to write an address: only in base58 does the case of letters count. */
export const walletKey = (text: string): string =>
  EVM.test(text) || (text === text.toUpperCase() && BECH32.test(text)) ? text.toLowerCase() : text;
