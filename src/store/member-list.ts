import type { MemberFilter } from '../domain/queries.ts';
import type { PageBuilder } from '../domain/rules/pages.ts';

/** Member ids start at 1, so a list from its beginning starts after 0. */
export const BEFORE_FIRST_ID = '0';

/** The order of a member's wallets. */
export const WALLET_ORDER = 'is_primary DESC, linked_at, wallet_key';

/** Whether at most one member can pass the filter, by its wallet or account. */
export const namesSole = ({ wallet, account }: MemberFilter): boolean =>
  wallet !== null || account !== null;

/**
 * A wallet or an account belongs to at most one member, so a list filtered by them has at most one
 * entry: the member that both belong to. Null if there is none after the start of the page.
 */
export function soleMatch(
  { wallet, account }: MemberFilter,
  owner: { wallet: string | null; account: string | null },
  after: string,
): string | null {
  if (wallet !== null && account !== null && owner.wallet !== owner.account) return null;
  const memberId = wallet === null ? owner.account : owner.wallet;
  return memberId !== null && BigInt(memberId) > BigInt(after) ? memberId : null;
}

/** Adds rows to a page. */
export const addInSlices = async <Row>(
  _realmId: string,
  builder: PageBuilder<Row>,
  rows: Iterable<Row>,
): Promise<void> => builder.add(rows);
