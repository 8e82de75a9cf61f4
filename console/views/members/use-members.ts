import type { Member } from '@realmkeep/client';
import { useEffect } from 'preact/hooks';
import { findMembers } from '../../api/find-members.ts';
import { given } from '../../api/service.ts';
import { learnNames } from '../../state/names.ts';
import { type Pages, usePages } from '../../state/pages.ts';
import type { OpenRealm } from '../../state/realm.ts';
import { inOrder, MEMBER_SORTS, type MemberSort } from '../../text/member-order.ts';

const statusOf = (text: string): 'active' | 'frozen' | undefined =>
  text === 'active' || text === 'frozen' ? text : undefined;

/** Of those that were found, more are not sorted: all of them would have to be loaded first. */
const MOST_SORTED = 1_000;

interface Found {
  pages: Pages<Member>;
  /** The order they are in; empty if it is that of the search. */
  sort: MemberSort | '';
  /** The orders that can be asked for. */
  sorts: readonly MemberSort[];
}

/** The members that the address asks for. */
export function useMembers(
  { api, realm, defaultKind }: OpenRealm,
  { search = '', status = '', kind = defaultKind.id, sort: asked = '' }: Record<string, string>,
): Found {
  const isFiltered = search !== '' || status !== '';
  const wanted = MEMBER_SORTS.find((one) => one === asked) ?? '';
  // The service sorts all members, or finds some; those that were found are sorted here.
  const sort = isFiltered || wanted === '' ? 'id' : wanted;
  const sorting = { ...(sort === 'id' ? {} : { sort }), ...ofKind(sort, kind) };
  const pages = usePages<Member>({
    key: JSON.stringify(['members', realm.id, search, status, sorting]),
    rowKey: ({ id }) => id,
    limit: 100,
    ask: async (request) => {
      const filter = { ...request, ...given({ status: statusOf(status) }), ...sorting };
      const page = await findMembers(api, search, filter);
      learnNames(realm.id, page.items);
      return page;
    },
  });
  const { rows = [], hasMore, isStale, more } = pages;
  const error = pages.error ?? pages.moreError;
  const isSortable = isFiltered && (rows.length < MOST_SORTED || !hasMore);
  const isGathering = isSortable && wanted !== '' && hasMore && !isStale && !error;
  // After each page; to ask again for one that is on its way does nothing.
  useEffect(() => {
    if (isGathering) more();
  });
  if (!isFiltered) return { pages, sort, sorts: MEMBER_SORTS };
  if (!isSortable) return { pages, sort: '', sorts: [] };
  if (wanted === '' || !pages.rows) return { pages, sort: '', sorts: MEMBER_SORTS };
  const isWhole = !hasMore && !isStale;
  const sorted = isWhole ? inOrder(rows, wanted, kind) : rows;
  return {
    pages: { ...pages, rows: sorted, isStale: !isWhole && !error },
    sort: isWhole ? wanted : '',
    sorts: MEMBER_SORTS,
  };
}

const ofKind = (sort: MemberSort, kind: string) =>
  sort === '-balance' ? { realmPointId: kind } : {};
