import { isAccount, isMemberId, isWallet } from './shapes.ts';

/** What the one search box of members was asked for. */
type MemberSearch =
  | { by: 'nothing' }
  | { by: 'id'; id: string }
  | { by: 'wallet'; wallet: string }
  | { by: 'account'; account: string }
  | { by: 'name'; words: string };

export function memberSearch(typed: string): MemberSearch {
  const text = typed.trim();
  if (text === '') return { by: 'nothing' };
  if (isMemberId(text)) return { by: 'id', id: text };
  if (isWallet(text)) return { by: 'wallet', wallet: text };
  const [, provider, id] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (isAccount(provider, id)) return { by: 'account', account: text };
  return { by: 'name', words: text.slice(0, 128) };
}
