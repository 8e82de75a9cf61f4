import type { Member, MemberList } from '@realmkeep/client';
import { useEffect } from 'preact/hooks';
import { findMembers } from '../../api/find-members.ts';
import { learnNames } from '../../state/names.ts';
import type { PageRequest } from '../../state/paged-list.ts';
import { type Pages, usePages } from '../../state/pages.ts';
import type { OpenRealm } from '../../state/realm.ts';
import { type FilterFields, filterFields, hasFilters } from '../../text/member-filters.ts';
import { inOrder, MEMBER_SORTS, type MemberSort } from '../../text/member-order.ts';

/** Of those that were found, more are not sorted: all of them would have to be loaded first. */
const MOST_SORTED = 1_000;

export interface Found {
  /** Asks for a page of the list, from the beginning or a cursor. */
  ask: (request: PageRequest & { count?: true }) => Promise<MemberList>;
  /** What is asked for, unlike any other list. */
  key: string;
  pages: Pages<Member>;
  /** The order they are in; empty if it is that of the search. */
  sort: MemberSort | '';
  /** The orders that can be asked for. */
  sorts: readonly MemberSort[];
}

/** The members that the address asks for. */
export function useMembers(
  { api, realm, defaultKind }: OpenRealm,
  query: Record<string, string>,
): Found {
  const { search = '', kind = defaultKind.id, sort: asked = '' } = query;
  const fields = filterFields(query, kind);
  const wanted = MEMBER_SORTS.find((one) => one === asked) ?? usualSort(fields);
  // The service sorts all members, and by a number those that meet filters. Others are sorted here.
  const isFiltered = search !== '' || (hasFilters(query) && !/^-/.test(wanted));
  const sort = isFiltered || wanted === '' ? 'id' : wanted;
  const sorting = { ...(sort === 'id' ? {} : { sort }), ...ofKind(sort, kind) };
  const key = JSON.stringify(['members', realm.id, search, fields, sorting]);
  const ask: Found['ask'] = async (request) => {
    const page = await findMembers(api, search, { ...request, ...fields, ...sorting });
    learnNames(realm.id, page.items);
    return page;
  };
  const pages = usePages<Member>({ key, rowKey: ({ id }) => id, limit: 100, ask });
  const { rows = [], hasMore, isStale, more } = pages;
  const error = pages.error ?? pages.moreError;
  const isSortable = isFiltered && (rows.length < MOST_SORTED || !hasMore);
  const isGathering = isSortable && wanted !== '' && hasMore && !isStale && !error;
  // After each page; to ask again for one that is on its way does nothing.
  useEffect(() => {
    if (isGathering) more();
  });
  const found = { ask, key, pages };
  if (!isFiltered) return { ...found, sort, sorts: MEMBER_SORTS };
  if (!isSortable) return { ...found, sort: '', sorts: [] };
  if (wanted === '' || !pages.rows) return { ...found, sort: '', sorts: MEMBER_SORTS };
  const isWhole = !hasMore && !isStale;
  const sorted = isWhole ? inOrder(rows, wanted, kind) : rows;
  return {
    ...found,
    pages: { ...pages, rows: sorted, isStale: !isWhole && !error },
    sort: isWhole ? wanted : '',
    sorts: MEMBER_SORTS,
  };
}

/** In it the service finds those in question without looking at all others. */
const usualSort = ({ minimumBalance, createdFrom, tags }: FilterFields): MemberSort | '' =>
  tags !== undefined
    ? ''
    : minimumBalance !== undefined
      ? '-balance'
      : createdFrom !== undefined
        ? '-createdAt'
        : '';

const ofKind = (sort: MemberSort, kind: string) =>
  sort === '-balance' ? { realmPointId: kind } : {};
