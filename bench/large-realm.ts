import type { DatabaseSync } from 'node:sqlite';
import type { RealmChanges } from '../src/domain/facts.ts';
import { LocalKeeper } from '../src/domain/local-keeper.ts';
import { FIRST_KIND, type MemberRow, type RealmRow } from '../src/domain/model.ts';
import { changeWriter } from '../src/store/sqlite/changes.ts';
import { openForWriting, prepare, transaction } from '../src/store/sqlite/database.ts';
import { RankBuckets } from '../src/store/sqlite/rank-buckets.ts';
import * as rows from '../src/store/sqlite/rows.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { insert } from '../src/store/sqlite/writing.ts';
import { follow, found, idAt } from './community.ts';

/** As many as the projector takes at once, so that the ranks are counted as it would count them. */
const AT_ONCE = 2_000;
const TOLD_AT = 200_000;
const HIGHEST_SCORE = 10_000_000;

/**
 * Creates a realm by the rules and its members by hand, in the rows that the rules and the
 * projector would have made, except the journal: a million by the rules would take minutes. The
 * members have a name and a balance, but neither accounts nor wallets, which makes reading one
 * cheaper than usual. Answers a key for the realm.
 */
export async function seedLargeRealm(
  path: string,
  realmId: string,
  count: number,
  progress: (text: string) => void,
): Promise<string> {
  const keeper = new LocalKeeper(openSqliteStore(path));
  const key = await found(keeper, realmId);
  await follow(keeper, realmId);
  await keeper.close();
  const db = openForWriting(path);
  // A file that is only being made need not survive a failure; the service turns this back.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -524288');
  transaction(db, () => {
    const put = memberWriter(db, realmId);
    for (let from = 0; from < count; from += AT_ONCE) {
      put(from, Math.min(from + AT_ONCE, count));
      if (from % TOLD_AT === 0) progress(`seeding ${realmId}: ${from} of ${count} members`);
    }
  });
  db.close();
  return key;
}

/** Writes the members of a range of indexes, their balances and their standings. */
function memberWriter(db: DatabaseSync, realmId: string): (from: number, to: number) => void {
  const write = changeWriter(db);
  const standing = insert(db, 'standings', 'realm_id, board, member_id, score');
  const buckets = new RankBuckets(db);
  const pointId = FIRST_KIND.id;
  const realm = readRealm(db, realmId);
  const random = randomNumbers();
  return (from, to) => {
    const changes = noChanges(realm);
    const moves: { before: null; after: number }[] = [];
    for (let index = from; index < to; index++) {
      const memberId = idAt(index);
      // Most have few points and some have many; a hundredth of them tie at none.
      const balance = Math.floor(HIGHEST_SCORE * Math.max(0, random() * 1.01 - 0.01) ** 3);
      changes.members.push({ key: memberId, row: memberRow(memberId, index, realm.createdAt) });
      if (balance > 0) {
        const row = { memberId, pointId, balance, openHolds: 0 };
        changes.balances.push({ key: memberId, row });
      }
      standing.run(realmId, pointId, memberId, balance);
      moves.push({ before: null, after: balance });
    }
    write(changes);
    buckets.note([realmId, pointId], moves);
  };
}

function readRealm(db: DatabaseSync, realmId: string): RealmRow {
  const sql = `SELECT ${rows.REALM_COLUMNS} FROM realms WHERE realm_id = ?`;
  const row = prepare<rows.RealmSqlRow, [string]>(db, sql).get(realmId);
  if (!row) throw new Error(`the realm ${realmId} was not created`);
  return rows.realmRowOf(row);
}

function noChanges(realm: RealmRow): RealmChanges {
  return {
    realm,
    isNewRealm: false,
    records: [],
    reversed: [],
    holds: [],
    kinds: [],
    assets: [],
    members: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    remembered: [],
  };
}

function memberRow(id: string, index: number, at: number): MemberRow {
  return {
    id,
    username: `member${index}`,
    displayName: `Member ${index}`,
    status: 'active',
    metadata: '{}',
    createdAt: at,
    updatedAt: at,
  };
}

/** From 0 to 1, the same in every run: xorshift. */
function randomNumbers(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
