/** The heights of a chart, from the lowest to the highest that fits into it. */
export interface Scale {
  low: number;
  high: number;
}

/** Always with zero, and some room above the highest. */
export function scaleOf(values: number[]): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  return { low: low * 1.08, high: high * 1.08 };
}

/** Where a value is, in percent from the bottom. */
export const placeOf = (value: number, { low, high }: Scale): number =>
  (100 * (value - low)) / (high - low);

/** Zero, the round number below the top, its half, and the lowest if that is below zero. */
export function ticksOf({ low, high }: Scale): number[] {
  const step = 10 ** Math.floor(Math.log10(high));
  const top = Math.floor(high / step) * step;
  const half = top / 2;
  return [...(low < 0 ? [low] : []), 0, ...(Number.isInteger(half) ? [half] : []), top];
}

const LABELS = 7;

/** The days that have a label below them: evenly, and the last one always. */
export function labelledDays(count: number): number[] {
  const step = Math.ceil(count / LABELS);
  return Array.from(
    { length: Math.ceil(count / step) },
    (_, at) => count - 1 - at * step,
  ).reverse();
}
