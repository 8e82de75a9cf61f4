import type { Static, TOptional, TProperties, TSchema, TSchemaOptions } from 'typebox';
import { Type } from './type.ts';

export { caller, details, Reference, shownOnBehalfOf } from './remarks.ts';
export { Balances, byKind, currentBalances, sum, sumsByKind } from './sums.ts';

/**
 * The schemas that several operations share. Some keywords are ours: `fault` is what a caller reads
 * about an invalid field; those of validation.ts are checks that JSON Schema cannot express,
 * or that Ajv is slow at; `freeForm` is any object in an answer, and `isSum` an integer that may
 * exceed 2^53. The OpenAPI document translates all of them, and defines a schema with a `title`
 * once, under that name.
 */
export const MAX_MEMBER_ID = '9223372036854775807';
export const MAX_TOKENS = Number.MAX_SAFE_INTEGER;
/** ASCII only, no user, query or fragment: it is part of a message that people sign. */
export const SITE_URL_PATTERN = '^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~/-]*)?$';
const REALM_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';

export const MAX_USERNAME = 64;
/** The wallet of the examples. */
export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
/** No address is longer than 74 characters. */
export const MAX_WALLET_TEXT = 128;

const MEMBER_ID_FAULT = `must be an integer from 1 to ${MAX_MEMBER_ID}, without leading zeros`;

export const RealmId = Type.String({
  pattern: REALM_ID_PATTERN,
  description: 'The realm: 1 to 64 letters, digits, `_` or `-`, the first a letter or digit.',
  examples: ['acme'],
  fault: 'must be 1 to 64 letters, digits, "_" or "-", starting with a letter or digit',
});

/** In a path or an answer: always a string of digits. */
export const MemberId = Type.Unsafe<string>({
  type: 'string',
  memberId: true,
  pattern: '^[1-9][0-9]{0,18}$',
  description: 'A member id as a string of digits, 1 to 2^63-1.',
  examples: ['80351110224678912'],
  fault: MEMBER_ID_FAULT,
});

/** Of an example that is about another one. */
export const OtherMemberId = { ...MemberId, examples: ['43'] };

/** In a request body: a JSON integer, read without loss of precision, or a string of digits. */
export const MemberIdIn = Type.Unsafe<string | number | bigint>({
  memberId: true,
  description: 'A member id: a JSON integer (read losslessly) or a string of digits, 1 to 2^63-1.',
  examples: ['80351110224678912'],
  fault: MEMBER_ID_FAULT,
});

const RANGE = `from -${MAX_TOKENS} to ${MAX_TOKENS}`;
export const TOKENS_FAULT = `must be a JSON integer other than 0, ${RANGE}`;

/** In a batch that may skip zeros. */
export const TokensOrZero = Type.Integer({
  minimum: -MAX_TOKENS,
  maximum: MAX_TOKENS,
  description: 'Points: positive adds, negative subtracts. 0 only with `skipZero`.',
  examples: [50],
  fault: TOKENS_FAULT,
});

export const Tokens = {
  ...TokensOrZero,
  not: { const: 0 },
  description: 'Points: positive adds, negative subtracts. Never 0.',
};

export const integerIn = (minimum: number, maximum: number, description: string) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    fault: `must be a JSON integer from ${minimum} to ${maximum}`,
  });

/** An integer in a query, where all values are text; of at most 15 digits if it has no maximum. */
export function integerInQuery(
  range: { minimum: number; maximum?: number; default?: number },
  description: string,
) {
  const { minimum, maximum } = range;
  const bounds = maximum === undefined ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return Type.String({
    integerInQuery: range,
    description,
    fault: `must be an integer${bounds}`,
  });
}

export const TokensToGive = {
  ...integerIn(1, MAX_TOKENS, 'The number of points, at least 1.'),
  examples: [50],
};

export const booleanIn = (description: string) =>
  Type.Boolean({ description, fault: 'must be true or false' });

export const textIn = (maxLength: number, description: string, options: TSchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    description,
    fault: `must be text of 1 to ${maxLength} characters`,
    ...options,
  });

/** An address, or any other text in its place; whether it is one is checked later. */
export const addressIn = (description: string, options: TSchemaOptions = {}) =>
  textIn(MAX_WALLET_TEXT, description, { fault: 'must be a wallet address', ...options });

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export const choiceOf = <const Word extends string>(
  words: readonly Word[],
  options: TSchemaOptions = {},
) =>
  Type.Unsafe<Word>({
    type: 'string',
    enum: words,
    fault: `must be ${either.format(words.map((word) => `"${word}"`))}`,
    ...options,
  });

const slugPattern = (maxLength: number): string => `[a-z0-9][a-z0-9_-]{0,${maxLength - 1}}`;
const slugFault = (maxLength: number): string =>
  `must be 1 to ${maxLength} lower-case letters, digits, "_" or "-", ` +
  'starting with a letter or digit';

export const slugIn = (maxLength: number, description: string, example: string) =>
  Type.String({
    pattern: `^${slugPattern(maxLength)}$`,
    description,
    examples: [example],
    fault: slugFault(maxLength),
  });

export const Description = Type.String({
  maxLength: 500,
  description: 'The reason, in your own words. Stored in the journal.',
  examples: ['Quest reward'],
  fault: 'must be text of at most 500 characters',
});

const MAX_KIND_ID = 32;

export const RealmPointId = slugIn(MAX_KIND_ID, 'The kind of points.', 'points');

/** A JavaScript object has keys of digits first, wherever they were put: see `balances`. */
export const NewRealmPointId = Type.String({
  pattern: `^(?![0-9]+$)${slugPattern(MAX_KIND_ID)}$`,
  description: 'The id of the kind. It never changes, and is not made of digits alone.',
  examples: ['gems'],
  fault: `${slugFault(MAX_KIND_ID)}, and not digits alone`,
});

/** In a query. Empty text means the realm's default kind; in a body, null does so too. */
export const RealmPointIdInQuery = Type.String({
  pattern: `^(${slugPattern(MAX_KIND_ID)})?$`,
  description: 'The kind of points; empty for the realm’s default kind.',
  examples: ['points'],
  fault: `${slugFault(MAX_KIND_ID)}; empty for the default kind`,
});

const MAX_OFFER_ID = 64;

export const OfferId = slugIn(MAX_OFFER_ID, 'The offer.', 'daily');

export const NewOfferId = Type.String({
  pattern: `^(?![0-9]+$)${slugPattern(MAX_OFFER_ID)}$`,
  description: 'The id of the offer. It never changes, and is not made of digits alone.',
  examples: ['daily'],
  fault: `${slugFault(MAX_OFFER_ID)}, and not digits alone`,
});

export const AssetId = slugIn(64, 'The asset.', 'founders-pass');

export const instantIn = (description: string) =>
  Type.String({
    instant: true,
    description: `${description} RFC 3339, such as \`2027-01-31T00:00:00Z\`.`,
    examples: ['2026-11-01T00:00:00.000Z'],
    fault: 'must be an RFC 3339 instant, such as "2027-01-31T00:00:00Z"',
  });

/** A field of an answer, by what it means and how it may look. */
const shown =
  <T>(type: string) =>
  (description?: string, example?: T) =>
    Type.Unsafe<T>({
      type,
      ...(description && { description }),
      ...(example !== undefined && { examples: [example] }),
    });

export const text = shown<string>('string');
export const integer = shown<number>('integer');
export const flag = shown<boolean>('boolean');

const instant = { format: 'date-time', description: 'RFC 3339, in UTC, with milliseconds.' };
export const Instant = Type.String({ ...instant, examples: ['2026-11-14T09:30:00.000Z'] });

export const Moved = integer('The points that were moved.', 50);
export const Ok = text('“Ok”.', 'Ok');
export const Balance = integer('A balance of points.', 1250);
export const DefaultBalance = integer('The balance in the realm’s default points.', 1250);
export const TransactionId = integer(
  'The number of the journal record that moved the points: 1, 2, 3, … without gaps.',
  982,
);

export const ClaimId = integer('The number of the claim, which is its `transactionId`.', 1010);

interface Nullable {
  type?: string;
  isSum?: boolean;
  title?: string;
  fault?: string;
  enum?: readonly string[];
}

/**
 * A schema of two types: for a union of schemas, the serialiser checks the value against each of
 * them, which took a fifth of the time of a page. Only what openapi.json names is a union. Of two
 * types, the serialiser does not take a bigint for an integer, but it knows `nullable`.
 */
export function nullable<T extends TSchema>(schema: T) {
  const { type, title, fault, isSum, enum: words } = schema as Nullable;
  if (isSum) return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
  if (title !== undefined) {
    return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
  }
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
    ...(fault && { fault: `${fault}, or null` }),
  });
}

/** Of what has usually not come yet. */
export const InstantOrNull = nullable(Type.String(instant));

export const RealmPointIdIn = nullable(RealmPointIdInQuery);

export const nullableText = (maxLength: number, description: string, ...examples: string[]) =>
  nullable(textIn(maxLength, description, { ...(examples.length > 0 && { examples }) }));

/** Text without invisible characters, nor any that change the direction of writing. */
export const visibleIn = (maxLength: number, description: string, example: string) =>
  textIn(maxLength, description, {
    visible: true,
    examples: [example],
    fault: `must be 1 to ${maxLength} visible characters`,
  });

/** The body of a rotation. */
export const overlapBody = (whatLasts: string, seconds: number) =>
  Type.Object({
    overlapSeconds: Type.Optional(
      integerIn(0, 2_592_000, `How long ${whatLasts}. Default ${seconds}, at most 30 days.`),
    ),
  });

export const MAX_BATCH = 1_000;

/** The list of a batch. */
export const batchOf = <T extends TSchema>(entry: T, noun: string) =>
  Type.Array(entry, {
    minItems: 1,
    maxItems: MAX_BATCH,
    fault:
      `must be a list of 1 to ${MAX_BATCH} ${noun}; split a longer one over several calls, as ` +
      'the client does',
  });

export const EntryProblem = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    freeForm: true,
    description: 'Why this entry was refused; only if "atomic" is false.',
  }),
);

export const optional = <P extends TProperties>(fields: P) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, Type.Optional(field)]),
  ) as { [Name in keyof P]: TOptional<P[Name]> };
