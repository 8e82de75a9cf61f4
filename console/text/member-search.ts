import { isAccount, isMemberId } from './shapes.ts';

/** What the one search box of members was asked for. */
type MemberSearch =
  | { by: 'nothing' }
  | { by: 'id'; id: string }
  | { by: 'wallet'; wallet: string }
  | { by: 'account'; account: string }
  | { by: 'name'; words: string };

/** EVM, bech32, and base58 of the length that Solana and Bitcoin addresses have. */
const WALLETS = [
  /^0x[0-9a-f]{40}$/i,
  /^(bc|tb)1[a-z0-9]{11,87}$/i,
  /^[1-9A-HJ-NP-Za-km-z]{26,44}$/,
];

export function memberSearch(typed: string): MemberSearch {
  const text = typed.trim();
  if (text === '') return { by: 'nothing' };
  if (isMemberId(text)) return { by: 'id', id: text };
  if (WALLETS.some((shape) => shape.test(text))) return { by: 'wallet', wallet: text };
  const [, provider, id] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (isAccount(provider, id)) return { by: 'account', account: text };
  return { by: 'name', words: text.slice(0, 128) };
}
