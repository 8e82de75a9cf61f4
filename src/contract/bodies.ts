import { type Buffer, isUtf8 } from 'node:buffer';
import type { TSchema } from 'typebox';
import { meantBy } from '../domain/rules/spelling.ts';
import { invalidRequest, ProblemError, type RequestFault } from './problems.ts';
import { isObject } from './validation.ts';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

const MAX_DEPTH = 64;
/** Far more than the largest list that a call takes. */
const MAX_VALUES = 50_000;
/** Faults quote the request; a huge key must not make a huge answer. */
const MAX_QUOTED_KEY = 100;
/** A number of 16 digits or more. Text in quotes, such as an id, needs no exact reading. */
const LONG_NUMBER = /(?:^|[\s:,[-])\d[\d.]{15}/;
/** What is done with digits takes more than linear time. */
const MAX_DIGITS = 100;
const ZERO_FRACTION = /\.0+$/;
const INTEGER = new RegExp(`^-?\\d{1,${MAX_DIGITS}}$`);

const TOO_MANY = `must not have more than ${MAX_VALUES} values`;
const TOO_DEEP = `must not be nested deeper than ${MAX_DEPTH} arrays and objects`;
const NOT_EXACT = 'must not have more digits than a number keeps';
const NOT_STORABLE = 'must not contain U+0000 or half of a surrogate pair';

/** Reads a JSON text. Throws the problem that a request with this body is answered with. */
export function readJson(bytes: Buffer): Json {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.');
  const text = bytes.toString();
  const value = LONG_NUMBER.test(text) ? parsed(text, exact) : parsed(text);
  const fault = faultIn(value, 0, { left: MAX_VALUES });
  if (fault) throw invalidRequest([fault]);
  return value;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

function parsed(text: string, reviver?: Reviver): Json {
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    // A reviver is called by recursion.
    if (error instanceof RangeError) throw invalidRequest([{ pointer: '', detail: TOO_DEEP }]);
    throw malformed(`${(error as Error).message}.`);
  }
}

/** An integer beyond 2^53 becomes a bigint. What only looks whole becomes NaN, which is refused. */
const exact: Reviver = (_key, value, { source = '' }) => {
  if (!Number.isInteger(value)) return value;
  const isSafe = Number.isSafeInteger(value);
  if (INTEGER.test(source)) return isSafe ? value : BigInt(source);
  if (!isSafe || !LONG_NUMBER.test(source)) return value;
  if (ZERO_FRACTION.test(source)) return value;
  const isExact = source.length <= MAX_DIGITS && digitsOf(source) === digitsOf(`${value}`);
  return isExact ? value : Number.NaN;
};

/** What all texts of a number have in common, whatever their exponents are. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replaceAll(/[-.]|^[0.]+/g, '')
    .replace(/0+$/, '');

/** The first place with something that cannot be stored, or would not survive being copied. */
function faultIn(value: Json, depth: number, values: { left: number }): RequestFault | null {
  values.left -= 1;
  if (values.left < 0) return fault(TOO_MANY);
  if (typeof value === 'string') return isStorable(value) ? null : fault(NOT_STORABLE);
  if (typeof value !== 'object' || value === null) {
    return Number.isNaN(value) ? fault(NOT_EXACT) : null;
  }
  if (depth === MAX_DEPTH) return fault(TOO_DEEP);
  for (const key in value) {
    const own = (value as Record<string, Json>)[key] ?? null;
    const found = keyFault(key) ?? faultIn(own, depth + 1, values);
    if (found) return { ...found, pointer: `/${quoted(key)}${found.pointer}` };
  }
  return null;
}

function keyFault(key: string): RequestFault | null {
  if (key === '__proto__') return fault('is a key that is not allowed');
  return isStorable(key) ? null : fault(NOT_STORABLE);
}

const fault = (detail: string): RequestFault => ({ pointer: '', detail });

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const quoted = (key: string): string =>
  key.slice(0, MAX_QUOTED_KEY).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');

const malformed = (reason: string): ProblemError => new ProblemError('malformed-json', { reason });

export const IGNORED_HEADER = 'x-realmkeep-ignored';

/** Enough to find a mistake, whatever the body is. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 40;
const MAX_HEADER_LENGTH = 1_000;

/** Whatever could end a name or a header, and everything but visible ASCII. */
const UNSAFE = /[^\x21-\x24\x26-\x2b\x2d-\x7e]/gu;

/** The keywords of schemas that are looked at here. */
interface Described {
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/** A field of a body that its schema does not have; of entries of a list, the first. */
interface UnknownField {
  /** Such as `/entries/0/tokns`. */
  pointer: string;
  name: string;
  /** What is known in its place. */
  known: string[];
}

/** By their paths, such as `entries.tokns`: a few, since any of them is a mistake. */
type UnknownFields = Map<string, UnknownField>;

export function unknownFields(body: unknown, schema: TSchema): UnknownFields {
  const found: UnknownFields = new Map();
  addUnknown(found, body, schema);
  return found;
}

/** Free-form values are not looked into. Every field of every entry passes here. */
export function addUnknown(
  found: UnknownFields,
  value: unknown,
  schema: TSchema,
  path = '',
  pointer = '',
): void {
  const { properties, items } = schema as Described;
  if (Array.isArray(value)) {
    if (!items || !('properties' in items)) return;
    for (const [index, item] of value.entries()) {
      addUnknown(found, item, items, path, `${pointer}/${index}`);
    }
  } else if (properties && isObject(value)) {
    for (const name in value) {
      if (found.size > MAX_NAMES) return;
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const part = value[name];
      if (own && typeof part === 'object') {
        addUnknown(found, part, own, `${path}${name}.`, `${pointer}/${name}`);
      } else if (!own && !found.has(path + shown(name))) {
        const known = Object.keys(properties);
        found.set(path + shown(name), { pointer: `${pointer}/${shown(name)}`, name, known });
      }
    }
  }
}

/** Their paths, separated by commas, and `...` if there are more. Empty if there are none. */
export function pathsOf(unknown: UnknownFields): string {
  const text = [...unknown.keys()].slice(0, MAX_NAMES).join(',');
  const isWhole = unknown.size <= MAX_NAMES && text.length <= MAX_HEADER_LENGTH;
  return isWhole ? text : `${text.slice(0, MAX_HEADER_LENGTH)},...`;
}

export const faultsOf = (unknown: UnknownFields): RequestFault[] =>
  [...unknown.values()].map(({ pointer, name, known }) => {
    const meant = meantBy(name, known) ?? known.find((one) => contains(one, name));
    return { pointer, detail: `is unknown${meant ? ` (did you mean ${meant}?)` : ''}` };
  });

/** As `username` contains `name`. */
const contains = (known: string, name: string): boolean =>
  name.length > 2 && known.toLowerCase().includes(name.toLowerCase());

/** Percent-encoded where a header could not carry it. */
function shown(name: string): string {
  if (name === '') return '""';
  const start = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}...` : name;
  return start.toWellFormed().replace(UNSAFE, encodeURIComponent);
}

const STRICT = /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i;

/** Whether a caller wants what is unknown refused (RFC 7240). */
export const prefersStrict = (prefer: string | string[] | undefined): boolean =>
  prefer !== undefined && STRICT.test(String(prefer));
