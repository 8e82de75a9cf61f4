import type { DatabaseSync } from 'node:sqlite';
import type { RealmChanges } from '../src/domain/facts.ts';
import { BLANK_PROFILE, FIRST_KIND, type MemberRow, type RealmRow } from '../src/domain/model.ts';
import { InProcessLedger } from '../src/engine/in-process-ledger.ts';
import { changeWriter } from '../src/store/sqlite/changes.ts';
import { openForWriting } from '../src/store/sqlite/database.ts';
import { openProjections } from '../src/store/sqlite/projections/database.ts';
import { nameIndexer } from '../src/store/sqlite/projections/name-indexer.ts';
import { bucketUpdater } from '../src/store/sqlite/projections/rank-buckets.ts';
import { insert, rowsOf } from '../src/store/sqlite/rows.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { tables } from '../src/store/tables/tables.ts';
import { createRealm, idAt, project } from './community.ts';

/** The size of the projector's batches, so that rank buckets split as they would there. */
const AT_ONCE = 4_000;
const PROGRESS_EVERY = 200_000;
const HIGHEST_SCORE = 10_000_000;

/**
 * Creates a realm by commands, and its members as the rows that commands and the projector would
 * have written, without their journal records: a million commands would take minutes. The members
 * have a name and a balance, but neither accounts nor wallets, which makes reading one cheaper than
 * usual. Returns a key for the realm.
 */
export async function seedLargeRealm(
  path: string,
  realmId: string,
  count: number,
  progress: (text: string) => void,
): Promise<string> {
  const ledger = new InProcessLedger(openSqliteStore(path));
  const key = await createRealm(ledger, realmId);
  await project(ledger);
  await ledger.close();
  const db = openForWriting(path);
  const projections = openProjections(path);
  // A file being seeded need not survive a crash; the service restores these settings.
  for (const one of [db, projections]) {
    one.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -524288; BEGIN');
  }
  const put = memberWriter(db, realmId);
  const rank = standingWriter(projections, realmId);
  const index = nameWriter(projections, realmId);
  for (let from = 0; from < count; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE, count);
    rank(put(from, to));
    index(from, to);
    if (from % PROGRESS_EVERY === 0) progress(`seeding ${realmId}: ${from} of ${count} members`);
  }
  for (const one of [db, projections]) {
    one.exec('COMMIT');
    one.close();
  }
  return key;
}

type Balance = [memberId: string, balance: number];

/** Writes the members of a range of indexes and their balances, and returns the balances. */
function memberWriter(db: DatabaseSync, realmId: string): (from: number, to: number) => Balance[] {
  const { write } = changeWriter(db);
  const realm = readRealm(db, realmId);
  const random = randomNumbers();
  return (from, to) => {
    const changes = noChanges(realm);
    const balances: Balance[] = [];
    for (let index = from; index < to; index++) {
      const memberId = idAt(index);
      // Most have few points and some have many; one in a hundred has none.
      const balance = Math.floor(HIGHEST_SCORE * Math.max(0, random() * 1.01 - 0.01) ** 3);
      changes.members.push({ key: memberId, row: memberRow(memberId, index, realm.createdAt) });
      if (balance > 0) {
        const row = { memberId, realmPointId: FIRST_KIND.id, balance, held: '0', openHolds: 0 };
        changes.balances.push({ key: memberId, row });
      }
      balances.push([memberId, balance]);
    }
    write(changes);
    return balances;
  };
}

/** Adds members to the realm's all-time leaderboard. */
function standingWriter(db: DatabaseSync, realmId: string): (balances: Balance[]) => void {
  const standing = insert(db, 'standings', 'leaderboard_no, member_id, score');
  const updateBuckets = bucketUpdater(db);
  // The leaderboard has no members yet, so it does not exist.
  const sql = `INSERT INTO leaderboards (realm_no, name)
    SELECT realm_no, ? FROM projection_positions WHERE realm_id = ? RETURNING leaderboard_no`;
  const leaderboard = Number(db.prepare(sql).get(FIRST_KIND.id, realmId)?.leaderboard_no);
  return (balances) => {
    for (const [memberId, balance] of balances) standing.run(leaderboard, memberId, balance);
    updateBuckets(
      leaderboard,
      balances.map(([, after]) => ({ before: null, after })),
    );
  };
}

/** Adds the names of members to those that a search finds. */
function nameWriter(db: DatabaseSync, realmId: string): (from: number, to: number) => void {
  const write = nameIndexer(db);
  const position = 'SELECT realm_no FROM projection_positions WHERE realm_id = ?';
  const realmNo = Number(db.prepare(position).get(realmId)?.realm_no);
  return (from, to) => {
    const indexes = Array.from({ length: to - from }, (_, at) => from + at);
    write(realmNo, new Map(indexes.map((index) => [idAt(index), namesOf(index)])));
  };
}

const namesOf = (index: number) => ({
  username: `member${index}`,
  displayName: `Member ${index}`,
});

function readRealm(db: DatabaseSync, realmId: string): RealmRow {
  const row = rowsOf(db, tables.realms).select<[string]>('WHERE realm_id = ?').get(realmId);
  if (!row) throw new Error(`the realm ${realmId} was not created`);
  return row;
}

function noChanges(realm: RealmRow): RealmChanges {
  return {
    realm,
    isNewRealm: false,
    records: [],
    reversals: [],
    holds: [],
    erasures: [],
    kinds: [],
    assets: [],
    webhooks: [],
    members: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    challenges: [],
    idempotencyRecords: [],
  };
}

function memberRow(id: string, index: number, at: number): MemberRow {
  return {
    id,
    ...BLANK_PROFILE,
    ...namesOf(index),
    status: 'active',
    createdAt: at,
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
