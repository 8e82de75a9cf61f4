import type { Sum } from '../domain/model.ts';
import { Type } from './type.ts';

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

/** A sum, which may exceed 2^53: then a bigint, which is serialised to the digit. */
export const sum = (description: string, example: number) =>
  Type.Unsafe<number | bigint>({
    type: 'integer',
    isSum: true,
    description: `${description} May exceed 2^53.`,
    examples: [example],
  });

/** Kinds of points with a number each. */
export const byKind = <T = number>(
  description: string,
  example: Record<string, number>,
  keywords: object = {},
) =>
  Type.Unsafe<Record<string, T>>({
    type: 'object',
    additionalProperties: { type: 'integer', ...keywords },
    description,
    examples: [example],
  });

const IN_ORDER = 'The default kind comes first, then the others by id.';

export const sumsByKind = (description: string, example: Record<string, number>) =>
  byKind<number | bigint>(`${description} ${IN_ORDER} May exceed 2^53.`, example, { isSum: true });

export const Balances = byKind(
  `The balance in every kind of points, including zeros. ${IN_ORDER}`,
  { points: 1250, gems: 3 },
);

export const currentBalances = {
  balances: Balances,
  held: sumsByKind('What open holds set aside of each balance.', { points: 200, gems: 0 }),
  available: sumsByKind(
    'What can be spent of each balance now: all but what is held and the minimum balance; ' +
      'nothing while the member is frozen or the kind archived.',
    { points: 1050, gems: 3 },
  ),
};
