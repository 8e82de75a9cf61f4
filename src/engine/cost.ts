import type {
  CommandName,
  CommandOf,
  Enrolment,
  NewMember,
  PointsEntry,
} from '../domain/commands.ts';
import {
  PROJECTION_QUERIES,
  type QueryName,
  type QueryParams,
  VERIFICATION_QUERIES,
} from '../domain/queries.ts';
import { COST_OF_WALLET, TEXT_PER_ROW } from '../domain/rules/enrolments.ts';
import { membersLookedAt } from '../domain/rules/pages.ts';

/** All that a member has is read. With 100 wallets, 20 accounts and 50 balances it takes 2 ms. */
const COST_OF_PROFILE = 10;
/** A removal reads as much, and writes up to 500 holds and 50 balances, with a record for each. */
const COST_OF_REMOVAL = 200;

type CommandCosts = { [N in CommandName]?: (command: CommandOf<N>) => number };

/** Commands that may be more work than one movement of points. */
const commandCosts: CommandCosts = {
  'points.batch': ({ entries }) => entries.reduce((cost, entry) => cost + entryCost(entry), 0),
  'member.create': enrolmentCost,
  'member.put': (command) => COST_OF_PROFILE + enrolmentCost(command),
  'member.batch': ({ members }) => members.reduce((cost, one) => cost + costOfEnrolment(one), 0),
  'member.update': ({ fields }) =>
    COST_OF_PROFILE + (fields.accounts?.length ?? 0) + textCost(fields.metadata),
  'member.remove': () => COST_OF_REMOVAL,
  'wallet.link': () => COST_OF_PROFILE,
  'wallet.unlink': () => COST_OF_PROFILE,
};

function enrolmentCost({ fields, wallets }: NewMember): number {
  const rows = 1 + (fields.accounts?.length ?? 0) + COST_OF_WALLET * wallets.length;
  return rows + textCost(fields.metadata);
}

/** The work that a member of a batch is. */
export const costOfEnrolment = (member: Enrolment): number =>
  enrolmentCost(member) + member.balances.length;

export const textCost = (text: string | null | undefined): number =>
  text ? Math.floor(text.length / TEXT_PER_ROW) : 0;

const entryCost = ({ description }: PointsEntry): number => 1 + textCost(description);

/** The work that a command is, in movements of points. */
export function costOfCommand<N extends CommandName>(command: CommandOf<N>): number {
  const costOf = commandCosts[command.type];
  return costOf === undefined ? 1 : Math.max(1, costOf(command));
}

/** A command that is more work than this shares no batch with commands of other realms. */
export const LIGHT = 1_000;

/** A query that is more work than this delays no other realm's: a page of 50 members is not. */
export const LIGHT_QUERY = 64;

/** The rows of a list are less work than as many queries for one row. */
const ROWS_PER_QUERY = 4;

/** The words that a search reads beside those that it shows, as work. */
const WORDS_OF_HITS = 200;

/** The entries that a statement of one type may look through, as work: PostgreSQL takes 7 ms. */
const ENTRIES_OF_TYPE = 400;
/** To find an instant in the journal, and the balances at it, compared with reading a member. */
const COST_OF_INSTANT = 4;
/** To look at this many members, for their status, is as much work as to read one. */
const LOOKS_PER_MEMBER = 40;

const page = ({ limit }: { limit: number }): number => 1 + Math.floor(limit / ROWS_PER_QUERY);

/** Whether members are looked at for their status; a wallet or an account is looked up. */
const isWalk = ({ status, wallet, account }: QueryParams<'members'>['filter']): boolean =>
  status !== null && wallet === null && account === null;

/** Queries that may be more work than one member. */
const queryCosts: { [N in QueryName]?: (params: QueryParams<N>) => number } = {
  // Each row has balances, accounts and wallets.
  members: ({ limit, filter }) =>
    limit + (isWalk(filter) ? Math.ceil(membersLookedAt(limit) / LOOKS_PER_MEMBER) : 0),
  namedMembers: ({ limit }) => limit,
  sortedMembers: ({ limit }) => limit,
  // Hits of several terms, or with a status, may be few among many words.
  searchMembers: ({ limit, terms, status }) =>
    limit + (terms.length > 1 || status !== null ? WORDS_OF_HITS : 0),
  walletHolders: ({ wallets }) => page({ limit: wallets.length }),
  realms: page,
  apiKeys: page,
  // Movements of the type may be few among many.
  statement: ({ limit, type }) => page({ limit }) + (type === null ? 0 : ENTRIES_OF_TYPE),
  transactions: page,
  leaderboard: page,
  holds: page,
  holdsOf: page,
  records: page,
  dueHolds: page,
  lastSeqs: ({ realmIds }) => page({ limit: realmIds.length }),
  balanceHistory: ({ instants }) => COST_OF_INSTANT * instants.length,
  dailyTotals: ({ from, to }) => page({ limit: to - from + 1 }),
  deliveries: page,
};

/** The work that a query is, compared with reading one member. */
export function costOfQuery<N extends QueryName>(name: N, params: QueryParams<N>): number {
  const costOf = queryCosts[name];
  return costOf === undefined ? 1 : costOf(params);
}

/**
 * Whether a query waits behind others. The look-up of a key or a session does not, since every
 * request needs it, nor a probe of readiness, nor a check of a whole journal, which has a queue of
 * its own.
 */
export const takesTurns = (name: QueryName): boolean =>
  !IN_NO_TURN.has(name) && !isVerificationQuery(name);

const IN_NO_TURN: ReadonlySet<QueryName> = new Set(['apiKey', 'session', 'ready'] as const);

/** Whether what a query costs depends on how large the members are that it reads. */
export const readsMembers = (name: QueryName): boolean => OF_MEMBERS.has(name);

const OF_MEMBERS: ReadonlySet<QueryName> = new Set([
  'member',
  'members',
  'namedMembers',
  'sortedMembers',
  'searchMembers',
] as const);

const fromVerifier: ReadonlySet<QueryName> = new Set(VERIFICATION_QUERIES);

export const isVerificationQuery = (name: QueryName): boolean => fromVerifier.has(name);

const fromProjections: ReadonlySet<QueryName> = new Set(PROJECTION_QUERIES);

export const isProjectionQuery = (name: QueryName): boolean => fromProjections.has(name);

/** The realm whose turn a query takes; what the service asks for itself takes turns like one. */
export const realmOf = (params: QueryParams<QueryName>): string =>
  params !== null && 'realmId' in params ? params.realmId : '';
