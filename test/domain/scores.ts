const MAX = Number.MAX_SAFE_INTEGER;

/** Rolls a die with this many sides. */
export type Roll = (sides: number) => number;

/** A xorshift generator: fast-check would take minutes for three thousand arbitrary scores. */
export function dice(seed: number): Roll {
  let state = seed | 1;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
}

/** Distributions of scores, from many ties to none. */
export const palettes: Record<string, (roll: Roll) => number> = {
  few: (roll) => roll(4) - 1,
  same: () => 7,
  wide: (roll) => roll(2_000_000) - 1_000_000,
  climbing: (roll) => 1_000_000 + roll(50),
  huge: (roll) => [MAX, -MAX, MAX - 1, 0, 1 - MAX][roll(5)] ?? 0,
};
