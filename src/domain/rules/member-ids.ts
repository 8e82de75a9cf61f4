const MAX_ID = 2n ** 63n - 1n;
/** Ids in a row that are tried one by one before the search takes larger steps. */
const LONGEST_WALK = 64;

/** Asks which of some ids were ever a member's, and gets those that were. */
type Search<Result> = Generator<string[], Result, ReadonlySet<string>>;

/** Finds ids that were never used, by look-ups that depend on `count`, not on how many are used. */
export function* findFreeIds(first: string, count: number): Search<string[]> {
  const free: string[] = [];
  let next = BigInt(first);
  let usedInRow = 0;
  while (free.length < count && next <= MAX_ID) {
    if (usedInRow >= LONGEST_WALK) {
      const found = yield* skipUsed(next - 1n);
      if (found === null) break;
      next = found;
    }
    const wanted = Math.max(count - free.length, Math.min(usedInRow, LONGEST_WALK));
    const ids = range(next, wanted);
    const used = yield ids;
    for (const id of ids) {
      usedInRow = used.has(id) ? usedInRow + 1 : 0;
      if (usedInRow === 0) free.push(id);
    }
    next += BigInt(ids.length);
  }
  return free.slice(0, count);
}

/** Doubles the distance until an id is unused, then bisects. Null if all those tried are used. */
function* skipUsed(last: bigint): Search<bigint | null> {
  const distances = Array.from({ length: 63 }, (_, exponent) => 2n ** BigInt(exponent));
  const ids = distances.map((distance) => last + distance).filter((id) => id <= MAX_ID);
  const used = yield ids.map(String);
  const place = ids.findIndex((id) => !used.has(String(id)));
  let high = ids[place];
  if (high === undefined) return null;
  let low = ids[place - 1] ?? last;
  while (high - low > 1n) {
    const middle: bigint = (low + high) / 2n;
    const found = yield [String(middle)];
    if (found.has(String(middle))) low = middle;
    else high = middle;
  }
  return high;
}

function range(first: bigint, count: number): string[] {
  const ids: string[] = [];
  for (let id = first; ids.length < count && id <= MAX_ID; id += 1n) ids.push(String(id));
  return ids;
}
