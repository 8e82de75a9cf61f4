import type { Connection } from '../connection.ts';
import { insertRows } from '../insert-rows.ts';
import { statement } from '../statement.ts';

/**
 * Counts the members of a board in buckets of neighbouring scores, so that a rank is a sum of
 * counts and a short count within one bucket. A bucket that grows is split, an empty one goes; a
 * score that moves within its bucket costs nothing.
 */
const SPLIT_AT = 1_000;
export const LOWEST = -Number.MAX_SAFE_INTEGER;
const HIGHEST = Number.MAX_SAFE_INTEGER;

export interface ScoreMove {
  /** Null is no score. */
  before: number | null;
  after: number | null;
}

interface Bucket {
  lower: number;
  count: number;
  split_at: number;
}

type Key = [realmId: string, board: string];

const inBucket = `FROM standings WHERE realm_id = $1 AND board = $2 AND score >= $3::bigint
  AND score <= $4::bigint AND score > -9007199254740992`;

const sql = {
  buckets: statement<Bucket & { board: string }, [string, string[]]>(
    `SELECT wanted.board, b.* FROM unnest($2::text[]) AS wanted(board) CROSS JOIN LATERAL
       (SELECT lower, count, split_at FROM rank_buckets
        WHERE realm_id = $1 AND board = wanted.board ORDER BY lower OFFSET 0) b`,
  ),
  put: insertRows<[string, string, number[], number[], number[]]>(
    'rank_buckets (realm_id, board, lower, count, split_at)',
    '$2, new.*',
    'unnest($3::bigint[], $4::bigint[], $5::bigint[]) new',
    ` ON CONFLICT (realm_id, board, lower)
       DO UPDATE SET count = excluded.count, split_at = excluded.split_at`,
  ),
  // A board has few buckets: it does no harm if all of them are looked at.
  remove: statement<never, [string, string, number[]]>(
    `DELETE FROM rank_buckets WHERE realm_id = $1 AND board = $2 AND lower = ANY ($3::bigint[])`,
  ),
  nth: statement<{ score: number }, [...Key, number, number, number]>(
    `SELECT score ${inBucket} ORDER BY score OFFSET $5 LIMIT 1`,
  ),
  count: statement<{ count: number }, [...Key, number, number]>(
    `SELECT count(*) AS count ${inBucket}`,
  ),
};

/** The buckets of some boards of a realm, in order. */
export async function loadBuckets(
  connection: Connection,
  realmId: string,
  boards: string[],
): Promise<Map<string, Bucket[]>> {
  const found = new Map<string, Bucket[]>(boards.map((board) => [board, []]));
  for (const { board, ...bucket } of await connection.query(sql.buckets, realmId, boards)) {
    found.get(board)?.push(bucket);
  }
  return found;
}

/**
 * Notes scores of a board that came, went or moved. The standings themselves are written already,
 * or on their way on this connection.
 */
export async function noteMoves(
  connection: Connection,
  key: Key,
  loaded: Bucket[],
  moves: readonly ScoreMove[],
): Promise<void> {
  const before = loaded.length > 0 ? loaded : [{ lower: LOWEST, count: 0, split_at: SPLIT_AT }];
  const after = before.map((bucket) => ({ ...bucket }));
  for (const move of moves) {
    if (move.before !== null) bucketOf(after, move.before).count -= 1;
    if (move.after !== null) bucketOf(after, move.after).count += 1;
  }
  const left = after.filter(({ lower, count }) => count !== 0 || lower === LOWEST);
  const kept: Bucket[] = [];
  for (const [index, bucket] of left.entries()) {
    const end = (left[index + 1]?.lower ?? HIGHEST + 1) - 1;
    if (bucket.count < bucket.split_at) kept.push(bucket);
    else kept.push(...(await split(connection, key, bucket, end)));
  }
  await write(connection, key, loaded, kept);
}

async function write(connection: Connection, key: Key, before: Bucket[], after: Bucket[]) {
  const were = new Map(before.map((bucket) => [bucket.lower, bucket]));
  const changed = after.filter(({ lower, count, split_at }) => {
    const was = were.get(lower);
    were.delete(lower);
    return was?.count !== count || was.split_at !== split_at;
  });
  const columns = [
    changed.map(({ lower }) => lower),
    changed.map(({ count }) => count),
    changed.map(({ split_at }) => split_at),
  ] as const;
  const work: Promise<unknown>[] = [];
  if (were.size > 0) work.push(connection.change(sql.remove, ...key, [...were.keys()]));
  if (changed.length > 0) work.push(connection.change(sql.put, ...key, ...columns));
  await Promise.all(work);
}

/** Halves a bucket, again and again; one of equal scores can't be, and is left to grow. */
async function split(
  connection: Connection,
  key: Key,
  { lower, count }: Bucket,
  end: number,
): Promise<Bucket[]> {
  const at = async (from: number, offset: number): Promise<number | undefined> =>
    (await connection.query(sql.nth, ...key, from, end, offset))[0]?.score;
  const least = (await at(lower, 0)) ?? lower;
  const middle = (await at(lower, count >> 1)) ?? least;
  const bound = middle > least ? middle : await at(least + 1, 0);
  if (bound === undefined) return [{ lower, count, split_at: count * 2 }];
  const above = (await connection.query(sql.count, ...key, bound, end))[0]?.count ?? 0;
  const halves = [
    { bucket: { lower, count: count - above, split_at: splitAt(count - above) }, end: bound - 1 },
    { bucket: { lower: bound, count: above, split_at: splitAt(above) }, end },
  ];
  const parts: Bucket[] = [];
  for (const half of halves) {
    // Many may have come at once: halves that are still too large are halved in turn.
    const isLarge = half.bucket.count >= 2 * SPLIT_AT;
    parts.push(...(isLarge ? await split(connection, key, half.bucket, half.end) : [half.bucket]));
  }
  return parts;
}

const splitAt = (count: number): number => Math.max(SPLIT_AT, count * 2);

/** The bucket with the greatest lower bound that is not above the score. */
function bucketOf(buckets: Bucket[], score: number): Bucket {
  let low = 0;
  let high = buckets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((buckets[middle] as Bucket).lower <= score) low = middle;
    else high = middle - 1;
  }
  return buckets[low] as Bucket;
}
