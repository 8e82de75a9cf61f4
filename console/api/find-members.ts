import { memberSearch } from '../text/member-search.ts';
import { Problem } from './problem.ts';
import type { RealmApi } from './realm.ts';
import type { Member, Page } from './types.ts';

/** Members by whatever was typed: a name, an id, an account or a wallet. */
export async function findMembers(
  realm: RealmApi,
  typed: string,
  query: Record<string, string | number | undefined>,
  signal?: AbortSignal,
): Promise<Page<Member>> {
  const search = memberSearch(typed);
  const read = signal ? { signal } : {};
  switch (search.by) {
    case 'nothing':
      return realm.members(query, read);
    case 'wallet':
      return realm.members({ ...query, wallet: search.wallet }, read);
    case 'account':
      return realm.members({ ...query, account: search.account }, read);
    case 'name':
      return realm.members({ ...query, search: search.words }, read);
    case 'id':
      return byDigits(realm, search.id, query, read);
  }
}

/** Digits are an id first, and otherwise the beginning of a name. */
async function byDigits(
  realm: RealmApi,
  id: string,
  query: object,
  read: { signal?: AbortSignal },
): Promise<Page<Member>> {
  try {
    return { items: [await realm.member(id).get(read)], nextCursor: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error;
    return realm.members({ ...query, search: id }, read);
  }
}
