import type { Sum } from '../domain/model.ts';

/** A sum in an answer: a bigint where no number is exact. The serialiser writes its digits. */
export const shownSum = (sum: Sum): number | bigint =>
  typeof sum === 'string' ? BigInt(sum) : sum;

export const shownSums = (sums: Readonly<Record<string, Sum>>): Record<string, number | bigint> =>
  Object.fromEntries(Object.entries(sums).map(([kind, sum]) => [kind, shownSum(sum)]));

/** A number that `JSON.stringify` writes as these digits. */
export const { rawJSON } = JSON as typeof JSON & { rawJSON: (digits: string) => object };

/** The JSON text of a value that may have bigints. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? rawJSON(`${each}`) : each));
