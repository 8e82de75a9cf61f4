import { isAccount } from './shapes.ts';

/** What the one search box of members was asked for. */
type MemberSearch =
  | { by: 'nothing' }
  | { by: 'account'; account: string }
  | { by: 'beginning'; words: string };

export function memberSearch(typed: string): MemberSearch {
  const text = typed.trim();
  if (text === '') return { by: 'nothing' };
  const [, provider, id] = /^([^:]*):(.*)$/.exec(text) ?? [];
  if (isAccount(provider, id)) return { by: 'account', account: text };
  return { by: 'beginning', words: text.slice(0, 128) };
}
