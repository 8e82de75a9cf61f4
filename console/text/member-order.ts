interface Sortable {
  id: string;
  username: string | null;
  displayName: string | null;
  balances: Record<string, number>;
  createdAt: string;
}

export const MEMBER_SORTS = ['id', 'name', '-balance', '-createdAt'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

const NAMES = new Intl.Collator(undefined, { numeric: true });

/** As it is shown: a blank name is none. */
const nameOf = ({ id, username, displayName }: Sortable): string =>
  displayName?.trim() || username?.trim() || id;

const byId = (a: Sortable, b: Sortable): number => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);

/** Members that are all there, in another order; those that are equal in it by id. */
export function inOrder<M extends Sortable>(members: M[], sort: MemberSort, kind: string): M[] {
  const balance = ({ balances }: Sortable): number => balances[kind] ?? 0;
  const compare: Record<MemberSort, (a: M, b: M) => number> = {
    id: () => 0,
    name: (a, b) => NAMES.compare(nameOf(a), nameOf(b)),
    '-balance': (a, b) => balance(b) - balance(a),
    '-createdAt': (a, b) => (a.createdAt > b.createdAt ? -1 : a.createdAt < b.createdAt ? 1 : 0),
  };
  return members.toSorted((a, b) => compare[sort](a, b) || byId(a, b));
}
