import type { Member } from '../domain/model.ts';
import type { QueryName, QueryParams, QueryResult } from '../domain/queries.ts';
import { costOfQuery, realmOf, textCost } from './cost.ts';
import { READ_LIMITS } from './gate.ts';

/** An ordinary member has no more balances, accounts and wallets than these. */
const PARTS_PER_MEMBER = 6;
/** What a member may cost as long as nothing was read of its realm. */
const COST_OF_UNKNOWN = 16;
/** Beyond this, what is known of the realm that was first read is forgotten. */
const MAX_REALMS = 10_000;

/** The members that a query has read. */
const membersIn: { [N in QueryName]?: (result: QueryResult<N>) => readonly Member[] } = {
  member: (member) => (member ? [member] : []),
  members: ({ members }) => members,
  namedMembers: ({ rows }) => rows,
  sortedMembers: (page) => page?.members ?? [],
  searchMembers: ({ members }) => members,
};

/**
 * What queries cost, by what the realm's members have turned out to cost: one with 170 balances,
 * accounts and wallets is 26 times the work of one with two. The most that a realm has shown
 * counts, because a realm could ask for its small members in between. Members are known by lists
 * and by themselves, so that a single large one makes no list expensive.
 */
export class QueryCosts {
  readonly #listed = new Map<string, number>();
  readonly #single = new Map<string, number>();

  of<N extends QueryName>(name: N, params: QueryParams<N>): number {
    const cost = costOfQuery(name, params);
    const ofMember = this.#known(name).get(realmOf(params)) ?? COST_OF_UNKNOWN;
    // What fills the window is read by itself: it need not cost more.
    const ofMembers = Math.min(limitOf(params) * ofMember, READ_LIMITS.window);
    // Whole numbers add up to exactly what is subtracted again.
    return Math.max(cost, Math.ceil(ofMembers));
  }

  learn<N extends QueryName>(name: N, params: QueryParams<N>, result: QueryResult<N>): void {
    const members = membersIn[name]?.(result);
    if (!members) return;
    const known = this.#known(name);
    const realmId = realmOf(params);
    const before = known.get(realmId);
    let cost = 0;
    for (const member of members) cost += costOfMember(member);
    const ofMember = Math.max(1, cost / limitOf(params));
    if (before !== undefined && before >= ofMember) return;
    known.set(realmId, ofMember);
    if (known.size > MAX_REALMS) known.delete(known.keys().next().value as string);
  }

  #known(name: QueryName): Map<string, number> {
    return name === 'member' ? this.#single : this.#listed;
  }
}

const limitOf = (params: QueryParams<QueryName>): number =>
  params !== null && 'limit' in params ? params.limit : 1;

function costOfMember({ balances, accounts, wallets, metadata }: Member): number {
  const parts = Object.keys(balances).length + accounts.length + wallets.length;
  return Math.max(1, (parts + textCost(metadata)) / PARTS_PER_MEMBER);
}
