import type { OwnedAccount, OwnedWallet } from '../facts.ts';
import { accountKey, type Books, compareText } from './books.ts';

const memberOf = (row: { memberId: string }): string => row.memberId;

export const accountsOf = ({ accounts }: Books, memberId: string): OwnedAccount[] =>
  [...accounts.group(memberOf, memberId).values()].sort((a, b) =>
    compareText(accountKey(a), accountKey(b)),
  );

export const walletsOf = ({ wallets }: Books, memberId: string): OwnedWallet[] =>
  [...wallets.group(memberOf, memberId).values()].sort(
    (a, b) =>
      Number(b.primary) - Number(a.primary) || a.linkedAt - b.linkedAt || compareText(a.key, b.key),
  );

export const walletCount = ({ wallets }: Books, memberId: string): number =>
  wallets.group(memberOf, memberId).size;
