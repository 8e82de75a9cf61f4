import type { Realm } from '../../../domain/model.ts';
import { type QueryName, VERIFICATION_QUERIES } from '../../../domain/queries.ts';
import type { Page } from '../../../domain/rules/pages.ts';
import type { Housekeeping } from '../../../ledger/store.ts';
import { housekeeping } from '../../housekeeping.ts';
import { readers } from '../../readers/index.ts';
import * as signIns from '../../sign-ins.ts';
import { type Catalogue, type Shard, shardOf } from './catalogue.ts';

/** A query or a piece of housekeeping. Unless listed below, it is about one realm. */
export type Call = QueryName | keyof Housekeeping;

const stored = Object.keys({ ...readers, ...housekeeping });
export const calls = [...stored, ...VERIFICATION_QUERIES] as Call[];

const some: Call[] = ['note', 'notes', 'storeNote', 'session', 'sessions', 'owners', 'passkey'];
const more = ['passkeys', ...Object.keys(signIns)] as Call[];
/** About what every server stores in full: any of them can answer. */
export const ofAny: ReadonlySet<Call> = new Set<Call>([...some, ...more]);

const firstOf = <T>(lists: T[][], { limit }: { limit: number }): T[] =>
  lists.flat().slice(0, limit);
const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

/** About the realms of a list in the argument, of which each shard gets its own. */
const lists: { [C in Call]?: string } = {
  lastSeqs: 'realmIds',
  saveReports: 'reports',
  recordKeyUse: 'uses',
};

/** About all realms, asked of every shard: how the results become one. */
const ofAll: { [C in Call]?: (results: never[], argument: never) => unknown } = {
  realms: (pages: Page<Realm>[], { limit }: { limit: number }): Page<Realm> => {
    const rows = pages.flatMap((page) => page.rows).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const hasMore = rows.length > limit || pages.some((page) => page.hasMore);
    return { rows: rows.slice(0, limit), hasMore };
  },
  deletedRealms: firstOf,
  erasingRealms: firstOf,
  enrollingRealms: firstOf,
  dueHolds: firstOf,
  leaseWebhooks: (leased: never[][]) => leased.flat(),
  releaseWebhooks: () => undefined,
  expireAnswers: sum,
  expireChallenges: sum,
  dropEndedLeaderboards: sum,
};

/** Whether callers take what there is while a server is away. */
export const mayLackServers = (call: Call): boolean =>
  call !== 'realms' && (call in ofAll || call in lists);

/** The shards that a call asks, those of one server together, and what it asks of them. */
export function partsOf(
  catalogue: Catalogue,
  call: Call,
  argument: unknown,
): [readonly Shard[], unknown][] {
  if (call in ofAll) {
    const byServer = Map.groupBy(catalogue.shards, ({ group }) => group);
    return Array.from(byServer.values(), (shards) => [shards, argument]);
  }
  const list = lists[call];
  if (!list) return [[[shardOf(catalogue, realmOf(argument))], argument]];
  const of = argument as Record<string, unknown[]>;
  const byShard = Map.groupBy(of[list] ?? [], (item) => shardOf(catalogue, realmOf(item)));
  return Array.from(byShard, ([shard, own]) => [[shard], { ...of, [list]: own }]);
}

/** The result of a call, from those of its parts: each is a list with the result of each shard. */
export function merged(call: Call, parts: readonly unknown[], argument: unknown): unknown {
  // Not that of a check, which finds its shard by itself.
  const results = parts.flat();
  if (call in lists) return results.flat();
  const merge = ofAll[call];
  return merge ? merge(results as never[], argument as never) : results[0];
}

/** The realm that an argument, or an item of a list, is about: it is its id, or has it. */
const realmOf = (argument: unknown): string =>
  typeof argument === 'string' ? argument : (argument as { realmId: string }).realmId;
