import type { Member } from '../domain/model.ts';
import type { NameKey, SortedPage, SortedParams, SortKey } from '../domain/queries.ts';
import { memberBytes, PageBuilder } from '../domain/rules/pages.ts';
import { addInSlices } from './member-list.ts';
import type { WordIndex } from './member-search.ts';

/** Members read at a time: an ordinary page and the row that follows it. */
const MAX_MEMBERS = 51;

/** What members are sorted by, and the members themselves. */
export interface SortedIndex extends Pick<WordIndex, 'members'> {
  /** The keys that follow in this order; null if there is no such kind of points. */
  keys(params: SortedParams): SortedKeys | Promise<SortedKeys>;
}

export type SortedKeys = (SortKey | NameKey)[] | null;

/**
 * Letters of ASCII regardless of their case; those without a name come last. Both databases compare
 * the bytes of UTF-8, so they agree on the order.
 */
export const sortName = (collation = ''): string =>
  `lower(coalesce(display_name, username, '\u{10ffff}')${collation})`;

/** Before all names: the page after it is the first. */
export const BEFORE_FIRST_NAME: NameKey = { name: '', memberId: '0' };

/** A page of members in the order of an index. */
export async function sortedMembers(
  index: SortedIndex,
  params: SortedParams,
): Promise<SortedPage | null> {
  const { realmId, limit, now } = params;
  const builder = new PageBuilder<Member>(limit, memberBytes);
  const { page } = builder;
  const keys = new Map<string, SortKey | NameKey>();
  for (let { after } = params; ; ) {
    const count = Math.min(limit + 1 - page.rows.length, MAX_MEMBERS);
    const next = await index.keys({ ...params, after, limit: count });
    if (next === null) return null;
    for (const key of next) keys.set(key.memberId, key);
    const memberIds = next.map(({ memberId }) => memberId);
    await addInSlices(realmId, builder, await index.members(realmId, memberIds, now));
    const isEnd = next.length < count;
    if (page.hasMore || isEnd) {
      const last = page.hasMore ? keys.get(page.rows.at(-1)?.id ?? '') : undefined;
      return { members: page.rows, next: last ?? null };
    }
    after = next.at(-1) ?? after;
  }
}
