import type { Balance, RealmChanges } from '../src/domain/facts.ts';
import { FIRST_KIND, type MemberRow, type RealmRow } from '../src/domain/model.ts';
import { BucketCounts, leaderboardOf, pastOf } from '../src/domain/rules/leaderboards.ts';
import { wordChanges } from '../src/domain/rules/search.ts';
import { InProcessLedger } from '../src/ledger/in-process-ledger.ts';
import { writesOf } from '../src/store/changes.ts';
import { selectRows } from '../src/store/rows.ts';
import { openForWriting } from '../src/store/sqlite/database.ts';
import { SqliteDriver } from '../src/store/sqlite/driver.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { first, type Operation } from '../src/store/statement.ts';
import { tables } from '../src/store/tables.ts';
import { createRealm, idAt } from './community.ts';

const AT_ONCE = 4_000;
const PROGRESS_EVERY = 200_000;
const HIGHEST_SCORE = 10_000_000;

const findRealm = selectRows(tables.realms, 'WHERE realm_id = :realmId');

/**
 * Creates a realm by commands, and its members as the rows that commands would have written,
 * without their journal records: a million commands would take minutes. The members have a name and
 * a balance, but neither accounts nor wallets, which makes reading one cheaper than usual. Returns
 * a key for the realm.
 */
export async function seedLargeRealm(
  path: string,
  realmId: string,
  count: number,
  progress: (text: string) => void,
): Promise<string> {
  const ledger = new InProcessLedger(openSqliteStore(path));
  const key = await createRealm(ledger, realmId, ['admin']);
  await ledger.close();
  using db = openForWriting(path);
  // A file being seeded need not survive a crash; the service restores these settings.
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -524288; BEGIN');
  const driver = new SqliteDriver(db);
  const realm = driver.run(first(findRealm, { realmId }));
  if (!realm) throw new Error(`the realm ${realmId} was not created`);
  const random = randomNumbers();
  for (let from = 0; from < count; from += AT_ONCE) {
    driver.run(put(realm, from, Math.min(from + AT_ONCE, count), random));
    if (from % PROGRESS_EVERY === 0) progress(`seeding ${realmId}: ${from} of ${count} members`);
  }
  driver.run(putDays(realm));
  db.exec('COMMIT');
  return key;
}

/** Writes the members of a range of indexes, with their balances, ranks and words. */
function* put(realm: RealmRow, from: number, to: number, random: () => number): Operation<void> {
  const changes = noChanges(realm);
  for (let index = from; index < to; index++) {
    const id = idAt(index);
    changes.members.push({ key: id, row: memberRow(id, index, realm.createdAt) });
    // Most have few points and some have many; one in a hundred has none.
    const balance = Math.floor(HIGHEST_SCORE * Math.max(0, random() * 1.01 - 0.01) ** 3);
    changes.balances.push({ key: id, row: balanceRow(id, balance, realm.createdAt) });
    changes.words.push(...wordChanges(id, null, { ...namesOf(index), tags: tagsOf(index) }));
  }
  const scores = changes.balances.map(({ row }) => row?.balance ?? 0);
  const leaderboard = FIRST_KIND.id;
  const buckets = new BucketCounts();
  putLastMonth(changes, buckets);
  const moves = scores.map((after) => ({ leaderboard, before: null, after }));
  changes.buckets = buckets.after(moves);
  yield writesOf([changes]);
}

const now = new Date();
export const LAST_MONTH = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);

/** Everybody has earned then what is the balance now, and one in two has earned since. */
function putLastMonth(changes: RealmChanges, buckets: BucketCounts): void {
  const [realmPointId, month] = [FIRST_KIND.id, Math.floor(LAST_MONTH / 86_400_000)];
  const leaderboard = leaderboardOf(realmPointId, 'month', LAST_MONTH);
  for (const [index, { key: memberId, row }] of changes.balances.entries()) {
    const score = row?.balance ?? 0;
    const past = { leaderboard: pastOf(leaderboard), seq: 1, memberId, score };
    if (index % 2 === 0) changes.pastScores.push(past);
    else {
      const windows = { day: month, dayScore: 0, week: month, weekScore: 0 };
      const row = { memberId, realmPointId, ...windows, month, monthScore: score };
      changes.scores.push({ key: memberId, row });
    }
    buckets.add({
      leaderboard: index % 2 === 0 ? past.leaderboard : leaderboard,
      before: null,
      after: score,
    });
  }
}

/** As many days as trends look at, in each of which somebody comes back after every other one. */
const DAYS = 800;

function* putDays(realm: RealmRow): Operation<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  const changes = noChanges(realm);
  for (let day = today - DAYS; day <= today; day++) {
    const sums = { issued: '90000', spent: '40000', opened: '0', held: '0' };
    for (const realmPointId of ['', FIRST_KIND.id]) {
      const members = realmPointId === '' ? 1_250 : 0;
      changes.days.push({ day, realmPointId, records: 4_000, members, ...sums });
    }
    changes.activeMembers.push({ day, previous: -1, members: 900 });
    for (let previous = day - 400; previous < day; previous++) {
      changes.activeMembers.push({ day, previous, members: 30 });
    }
  }
  yield writesOf([changes]);
}

const balanceRow = (memberId: string, balance: number, at: number): Balance => {
  const movedAt = balance === 0 ? null : at;
  const moved = { movedAt, activeDay: null };
  return { memberId, realmPointId: FIRST_KIND.id, balance, held: '0', openHolds: 0, ...moved };
};

const namesOf = (index: number) => ({
  username: `member${index}`,
  displayName: `Member ${index}`,
});

/** One in three is a regular, one in ten thousand a helper. */
const tagsOf = (index: number): string =>
  JSON.stringify([
    ...(index % 3 === 0 ? ['regular'] : []),
    ...(index % 10_000 === 7 ? ['helper'] : []),
  ]);

const MINUTE_MS = 60_000;

function noChanges(realm: RealmRow): RealmChanges {
  return {
    realm,
    isNewRealm: false,
    records: [],
    reversals: [],
    holds: [],
    offers: [],
    claims: [],
    claimants: [],
    erasures: [],
    kinds: [],
    assets: [],
    webhooks: [],
    members: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    people: [],
    challenges: [],
    idempotencyRecords: [],
    enrolments: [],
    scores: [],
    pastScores: [],
    entries: [],
    movements: [],
    references: [],
    buckets: [],
    days: [],
    activeMembers: [],
    words: [],
  };
}

function memberRow(id: string, index: number, at: number): MemberRow {
  return {
    id,
    ...namesOf(index),
    status: 'active',
    tags: tagsOf(index),
    note: null,
    metadata: '{}',
    createdAt: at - index * MINUTE_MS,
    updatedAt: at,
    erasedAt: null,
  };
}

/** Numbers from 0 to 1, the same in every run (xorshift). */
function randomNumbers(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
