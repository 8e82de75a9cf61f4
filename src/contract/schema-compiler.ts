import { Ajv, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { MAX_MEMBER_ID } from './schemas.ts';

/** The compiler of checks, with the keywords of our own that the schemas use. */
export const ajv = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true });
ajv.addKeyword('fault');
const valueKeywords = { memberId: isMemberId, instant: isInstant, exact: isExact };
for (const [keyword, validate] of Object.entries(valueKeywords)) {
  ajv.addKeyword({ keyword, validate });
}
const textKeywords = {
  atMost: hasAtMost,
  integerInQuery: isIntegerText,
  uint256: isUint256,
  visible: isVisible,
};
for (const [keyword, validate] of Object.entries(textKeywords)) {
  ajv.addKeyword({ keyword, validate, type: 'string' });
}

const uncompiled = new Set<() => ValidateFunction>();

/**
 * Compiles a schema when it is first needed: one takes some milliseconds, and all of them together
 * made every start an eighth of a second longer.
 */
export function lazyValidation(schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  const compiled = (): ValidateFunction => {
    if (!validate) {
      validate = ajv.compile(bounded(schema));
      uncompiled.delete(compiled);
    }
    return validate;
  };
  uncompiled.add(compiled);
  return compiled;
}

/** Compiles what has not been needed yet, one after another: the first callers need not wait. */
export function compileAhead(): void {
  const [compile] = uncompiled;
  if (!compile) return;
  compile();
  setImmediate(compileAhead);
}

interface Keywords {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  uniqueItems?: boolean;
  maxItems?: number;
  propertyNames?: TSchema;
  additionalProperties?: TSchema | boolean;
  maxProperties?: number;
  fault?: string;
}

/** Of a list or map that is too long, nothing more is checked: Ajv would report every entry. */
function bounded(schema: TSchema): TSchema {
  const { properties, items, uniqueItems, propertyNames, additionalProperties, ...rest } =
    schema as Keywords;
  const { maxItems, maxProperties, fault } = rest;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, bounded(field)]);
  const outer = { ...rest, ...(properties && { properties: Object.fromEntries(fields) }) };
  const inner = {
    ...(items && { items: bounded(items) }),
    ...(uniqueItems && { uniqueItems, fault }),
    ...(propertyNames && { propertyNames }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
  if (maxItems !== undefined) return { ...outer, if: { maxItems }, ['then' as string]: inner };
  if (maxProperties === undefined) return { ...outer, ...inner };
  return { ...outer, if: { maxProperties }, ['then' as string]: inner };
}

function isMemberId(_: true, value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 1;
  if (typeof value !== 'string' && typeof value !== 'bigint') return false;
  const digits = String(value);
  if (digits.length > MAX_MEMBER_ID.length || !/^[1-9][0-9]*$/.test(digits)) return false;
  return digits.length < MAX_MEMBER_ID.length || digits <= MAX_MEMBER_ID;
}

/**
 * Whether text has 1 to `length` characters. Ajv counts code points one by one, which took a tenth
 * of the time of a wallet check; text that is short enough in UTF-16 units needs no count.
 */
export function hasAtMost(length: number, text: string): boolean {
  if (text.length <= length) return text.length > 0;
  return text.length <= 2 * length && [...text].length <= length;
}

function isIntegerText(range: { minimum: number; maximum?: number }, text: string): boolean {
  const { minimum, maximum = Number.POSITIVE_INFINITY } = range;
  return /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** Anything but digits is left to the pattern. */
function isUint256(_: true, text: string): boolean {
  return !/^\d{1,78}$/.test(text) || BigInt(text) < 2n ** 256n;
}

/** Control, format (such as direction marks) and private characters; letters without a glyph. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/u;
/** The zero-width joiner is legitimate within an emoji, such as that of a family. */
const JOINED_EMOJI = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D/gu;

function isVisible(_: true, text: string): boolean {
  return /[^\s\p{M}]/u.test(text) && !INVISIBLE.test(text.replaceAll(JOINED_EMOJI, ''));
}

/** The years that have four digits in UTC; a zone offset can lead outside them. */
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function isInstant(which: true | 'future', value: unknown): boolean {
  if (typeof value !== 'string') return value === null;
  const [, day] = RFC_3339.exec(value) ?? [];
  if (day === undefined || !isDay(day)) return false;
  const at = Date.parse(value);
  if (!(at >= FIRST_INSTANT && at <= LAST_INSTANT)) return false;
  return which !== 'future' || at > Date.now();
}

/** Date.parse reads February 30 as March 2. */
function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** Whether a free-form value can be stored and returned without loss. */
function isExact({ maxBytes }: { maxBytes: number }, value: unknown): boolean {
  return !hasInexact(value) && Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
}

/** Above 2^53-1 a double loses digits, however the number is written; JSON has no infinity. */
function hasInexact(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value === 'number') {
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexact);
}
