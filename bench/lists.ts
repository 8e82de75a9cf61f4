import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { type Member, type RealmHandle, Realmkeep } from '../client/src/index.ts';
import { firstViews } from './first-view.ts';
import { newFolder } from './folder.ts';
import { LAST_MONTH } from './large-realm.ts';
import { startServer } from './processes.ts';
import { million } from './readings.ts';
import { quantile } from './statistics.ts';
import { table } from './table.ts';

/**
 * `npm run bench:lists`: how long the lists of the console take in a realm of a million members. As
 * a manager is one reader, each call is sent when the one before is answered.
 */
const CALLS = 300;
const PAGE = 100;

type Call = () => Promise<unknown>;

const folder = newFolder('lists');
try {
  const server = await startServer('large-realm', folder);
  const key = server.keys[million.realmId] ?? '';
  const realm = new Realmkeep({ url: server.url, key }).realm(million.realmId);
  await award(realm);
  const rows: string[][] = [];
  for (const [name, calls] of await cases(realm)) {
    rows.push([name, ...shown(await measure(calls))]);
    console.log(`${rows.length}: ${rows.at(-1)?.join(' ')}`);
  }
  const views = await firstViews(server.url, key, million.realmId);
  if (views.length > 0) rows.push(['first view of the console', ...shown(views)]);
  console.log(table(['1,000,000 members, ms', 'p50', 'p95', 'p99', 'max'], rows).join('\n'));
  const load = loadavg().map((one) => one.toFixed(1));
  console.log(`Load of the machine: ${load.join(', ')}`);
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Something for reasons, for what is unusual, and for those who deliver: some thousands. */
async function award(realm: RealmHandle): Promise<void> {
  const { items } = await realm.members({ limit: 500 });
  for (let round = 0; round < 6; round++) {
    const entries = items.map(({ id }, at) => {
      return { memberId: id, tokens: 10 + at, description: `Quest ${at % 40}` };
    });
    await realm.batch(entries);
    await realm.batch(entries.map((one) => ({ ...one, tokens: -1 })));
  }
  const offer = await realm.createOffer({ id: 'hat', name: 'Hat', delivery: 'manual' });
  for (const { id } of items) await realm.offer(offer.id).claim(id);
}

async function measure(calls: Call[]): Promise<number[]> {
  const times: number[] = [];
  for (const call of calls) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times;
}

function shown(times: number[]): string[] {
  const some = [0.5, 0.95, 0.99].map((share) => quantile(times, share));
  return [...some, Math.max(...times)].map((time) => time.toFixed(1));
}

async function cases(realm: RealmHandle): Promise<Map<string, Call[]>> {
  const some = await sample(realm);
  const each = (call: (member: Member) => Promise<unknown>): Call[] =>
    some.map((member) => () => call(member));
  const ids = String(some.slice(0, PAGE).map(({ id }) => id));
  const list = (filter: Parameters<typeof realm.members>[0]) =>
    realm.members({ limit: PAGE, ...filter });
  const past = { window: 'month', at: new Date(LAST_MONTH), limit: PAGE } as const;
  const lastMonth = (more: { cursor?: string }) => realm.leaderboard({ ...past, ...more });
  return new Map([
    ['search as one types', some.flatMap(typed).map((search) => () => list({ search }))],
    ['search by two words', each((member) => list({ search: nameIn(member, 2) }))],
    ['find by id', each((member) => realm.member(member.id).get())],
    ['names of 100 members', each(() => list({ ids }))],
    ['page by id', walk(list)],
    ['page by name', walk((more) => list({ sort: 'name', ...more }))],
    ['page by balance', walk((more) => list({ sort: '-balance', ...more }))],
    ...[7, 30, 90, 365].map((days): [string, Call[]] => [
      `${days} days, and those before`,
      Array.from({ length: CALLS / 3 }, (_, call) => {
        const to = new Date(Date.now() - (call % 2) * days * 86_400_000);
        return () => realm.activity({ days, to });
      }),
    ]),
    ['attention', Array.from({ length: CALLS }, () => () => realm.attention())],
    ['the first 100 of last month', Array.from({ length: CALLS }, () => () => lastMonth({}))],
    ['page of last month', walk(lastMonth)],
    ['page by age', walk((more) => list({ sort: '-createdAt', ...more }))],
    ...filters(list),
    ...others(realm),
  ]);
}

type List = (filter: Parameters<RealmHandle['members']>[0]) => ReturnType<RealmHandle['members']>;

/** Filters that many pass, few or nobody: the latter look at as many as a page may. */
function filters(list: List): [name: string, calls: Call[]][] {
  const active = { activeFrom: '2000-01-01T00:00:00Z', hasWallet: false, minimumBalance: 1 };
  const few = { activeTo: '2000-01-01T00:00:00Z', maximumBalance: 1_000 };
  const some: [name: string, filter: object][] = [
    ['by a common tag', { tags: 'regular' }],
    ['by a rare tag', { tags: 'helper' }],
    ['by a common and a rare tag', { tags: 'regular,helper' }],
    ['by a wallet that nobody has', { hasWallet: true }],
    ['by activity, wallet and balance, which most have', active],
    ['by activity and balance, which nobody has', few],
    ['by a range of balances', { sort: '-balance', minimumBalance: 500, maximumBalance: 600 }],
    ['by balances without a wallet', { sort: '-balance', ...active }],
    ['by balances with a wallet', { sort: '-balance', minimumBalance: 10, hasWallet: true }],
    ['by age and balance', { sort: '-createdAt', ...few }],
  ];
  return some.flatMap(([name, filter]): [string, Call[]][] => [
    [name, walk((more) => list({ ...filter, ...more }))],
    [`${name}: count`, Array.from({ length: 30 }, () => () => list({ ...filter, count: true }))],
  ]);
}

/** What the other views ask for. */
function others(realm: RealmHandle): [name: string, calls: Call[]][] {
  const many = (call: Call): Call[] => Array.from({ length: CALLS }, () => call);
  const before = 1_000_000_000;
  const types = ['realm.updated', 'key.created'] as const;
  return [
    ['summary', many(() => realm.summary())],
    ...(['all', 'month'] as const).map((window): [string, Call[]] => [
      `leaderboard, ${window}`,
      many(() => realm.leaderboard({ window, limit: PAGE })),
    ]),
    ['activity', many(() => realm.events({ before, limit: PAGE }))],
    ['activity of a rare type', many(() => realm.events({ before, limit: PAGE, types }))],
    ['reasons', many(() => realm.transactions({ limit: 500 }))],
    ['offers', many(() => realm.offers())],
    ['claims', walk((more) => realm.claims({ limit: PAGE, ...more }))],
  ];
}

/** Members from all over the realm. */
async function sample(realm: RealmHandle): Promise<Member[]> {
  const found: Member[] = [];
  for await (const member of realm.members({ sort: '-createdAt', limit: 500 })) {
    found.push(member);
    if (found.length === 20 * CALLS) break;
  }
  return found.filter((_, index) => index % 20 === 0);
}

function nameIn({ displayName }: Member, letters: number): string {
  const words = (displayName ?? '').split(' ');
  return words.map((word) => word.slice(0, letters)).join(' ');
}

/** What the box of the console sends while one name in 15 is typed: "a", "am", "amb", … */
function typed({ displayName }: Member, index: number): string[] {
  const name = index % 15 === 0 ? (displayName ?? '') : '';
  return Array.from(name, (_, end) => name.slice(0, end + 1));
}

/** From page to page, as one scrolls. */
function walk(page: (more: { cursor?: string }) => Promise<{ nextCursor: string | null }>): Call[] {
  let cursor: string | null = null;
  return Array.from({ length: CALLS }, () => async () => {
    const { nextCursor } = await page(cursor === null ? {} : { cursor });
    cursor = nextCursor;
  });
}
