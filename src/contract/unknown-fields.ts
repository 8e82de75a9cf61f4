import type { TSchema } from 'typebox';
import { meantBy } from '../domain/rules/spelling.ts';
import type { RequestFault } from './problems.ts';
import { isObject } from './validation.ts';

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
