import type { Member } from '@realmkeep/client';
import { findMembers } from '../../api/find-members.ts';
import { given } from '../../api/service.ts';
import { learnNames } from '../../state/names.ts';
import { type Pages, usePages } from '../../state/pages.ts';
import type { OpenRealm } from '../../state/realm.ts';

const SORTS = ['id', '-balance', '-createdAt'] as const;

const statusOf = (text: string): 'active' | 'frozen' | undefined =>
  text === 'active' || text === 'frozen' ? text : undefined;

interface Found {
  pages: Pages<Member>;
  sort: string;
  canSort: boolean;
}

/** The members that the address asks for. */
export function useMembers(
  { api, realm, defaultKind }: OpenRealm,
  { search = '', status = '', kind = defaultKind.id, sort: asked = '' }: Record<string, string>,
): Found {
  // The service sorts all members, or finds some: not both.
  const canSort = search === '' && status === '';
  const sort = (canSort && SORTS.find((one) => one === asked)) || 'id';
  const sorting = sort === 'id' ? {} : { sort, realmPointId: kind };
  const question = JSON.stringify(['members', realm.id, search, status, sorting]);
  const pages = usePages<Member>(question, async (cursor, signal) => {
    const filter = given({ cursor, status: statusOf(status), limit: 100, signal });
    const page = await findMembers(api, search, { ...filter, ...sorting });
    learnNames(realm.id, page.items);
    return page;
  });
  return { pages, sort, canSort };
}
