import type { ApiKey } from '../model.ts';
import type { Transaction } from './statements.ts';
import { DAY_MS } from './time.ts';

/** How long an award is recent, and a key needs attention before and after it expires. */
const [RECENT_MS, AROUND_EXPIRY_MS] = [7 * DAY_MS, 14 * DAY_MS];
/** What part of so many others is usual, how often that is unusual, and how many are shown. */
const [USUAL, FEWEST, FACTOR, SHOWN] = [0.95, 10, 5, 5];

/** Awards, of the newest, that are far above what the same giver usually gives. */
export function unusualAwards(awards: readonly Transaction[], now: number) {
  const givers = Map.groupBy(awards, ({ actor, onBehalfOf, realmPointId }) =>
    [realmPointId, actor, onBehalfOf].join(' '),
  );
  const unusual = [...givers.values()].flatMap((own) => {
    // Without the largest one, which may be the unusual one.
    const others = own.map(({ tokens }) => tokens).sort((a, b) => a - b);
    others.pop();
    const usual = others[Math.ceil(USUAL * others.length) - 1] ?? 0;
    if (others.length < FEWEST) return [];
    const isUnusual = ({ tokens, at, reversedBy }: Transaction): boolean =>
      tokens > FACTOR * usual && at > now - RECENT_MS && reversedBy === null;
    return own.filter(isUnusual).map((award) => ({ ...award, usual }));
  });
  return unusual.sort((a, b) => b.tokens / b.usual - a.tokens / a.usual).slice(0, SHOWN);
}

/** A later key with the same name, such as one from a rotation, takes the place of another. */
export const expiringKeys = (keys: readonly ApiKey[], now: number): ApiKey[] =>
  keys.filter(
    ({ name, createdAt, expiresAt }) =>
      expiresAt !== null &&
      Math.abs(expiresAt - now) < AROUND_EXPIRY_MS &&
      !keys.some((other) => other.name === name && other.createdAt > createdAt),
  );
