import { isProblem, type Member, type MemberList, type RealmHandle } from '@realmkeep/client';
import { memberSearch } from '../text/member-search.ts';

type Filter = Parameters<RealmHandle['members']>[0];

/** Members by whatever was typed: a name, an id, an account or a wallet. */
export async function findMembers(
  realm: RealmHandle,
  typed: string,
  filter: Filter,
): Promise<MemberList> {
  const search = memberSearch(typed);
  switch (search.by) {
    case 'nothing':
      return realm.members(filter);
    case 'wallet':
      return realm.members({ ...filter, wallet: search.wallet });
    case 'account':
      return realm.members({ ...filter, account: search.account });
    case 'name':
      return realm.members({ ...filter, search: search.words });
    case 'id':
      return byDigits(realm, search.id, filter);
  }
}

/** Digits are an id first, and otherwise the beginning of a name, which may have further pages. */
async function byDigits(realm: RealmHandle, id: string, filter: Filter): Promise<MemberList> {
  const member = filter?.cursor ? null : await memberOf(realm, id, filter?.signal);
  const isFound = member && (filter?.status ?? member.status) === member.status;
  return isFound ? { items: [member], nextCursor: null } : realm.members({ ...filter, search: id });
}

async function memberOf(
  realm: RealmHandle,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Member | null> {
  try {
    return await realm.member(id).get(signal ? { signal } : {});
  } catch (error) {
    if (isProblem(error) && error.code === 'member-not-found') return null;
    throw error;
  }
}
