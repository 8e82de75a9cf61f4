import type { MemberList, RealmHandle } from '@realmkeep/client';
import { memberSearch } from '../text/member-search.ts';

type Filter = Parameters<RealmHandle['members']>[0];

/** Members by whatever was typed: an account, or the beginning of a name, an id or a wallet. */
export async function findMembers(
  realm: RealmHandle,
  typed: string,
  filter: Filter,
): Promise<MemberList> {
  const search = memberSearch(typed);
  switch (search.by) {
    case 'nothing':
      return realm.members(filter);
    case 'account':
      return realm.members({ ...filter, account: search.account });
    case 'beginning':
      return realm.members({ ...filter, search: search.words });
  }
}
