const MAX_ID = 2n ** 63n - 1n;
/** Ids in a row that are tried one by one before the search takes larger steps. */
const LONGEST_WALK = 64;

/** Asks which of some ids were ever a member's, and gets those that were. */
type Search<Result> = Generator<string[], Result, ReadonlySet<string>>;

/**
 * Finds member ids that were never used, from `first` on, in a number of look-ups that depends on
 * how many are wanted and not on how many members there are. A realm may have enrolled members
 * under its own ids 1 to 1,000,000, and a refused enrolment must not walk past all of them.
 */
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

/**
 * An unused id after a used one: doubles the distance until an id is unused, then bisects. If used
 * ids are consecutive, it is the first unused one. Null if all those tried are used: some sixty
 * ids, each at twice the distance of the one before, up to the largest.
 */
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
