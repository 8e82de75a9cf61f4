import type { RealmHandle } from '@realmkeep/client';

/** The first record at an instant or later, or the next one: records are in the order of time. */
export async function recordAt(
  realm: RealmHandle,
  at: number,
  newest: number,
  signal: AbortSignal,
): Promise<number> {
  let [low, high] = [1, newest + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await realm.event(middle, { signal });
    if (Date.parse(event.at) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
