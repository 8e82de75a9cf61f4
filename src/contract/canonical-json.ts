import type { Json } from './json.ts';

/**
 * The same text for the same value, regardless of key order, white space and number format. A
 * number and a bigint have the same text if and only if they are mathematically equal.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return quoted(value);
  // Outside the safe range String() rounds, and the result could equal a different bigint's.
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return String(BigInt(value as number));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const key of sorted(Object.keys(value))) {
    members += `${members && ','}${quoted(key)}:${canonicalJson(value[key] as Json)}`;
  }
  return `{${members}}`;
}

/** Most text is as plain as this and needs no escaping. */
const PLAIN = /^[\w .:/-]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** For the few keys of most objects, insertion sort is faster than the built-in sort. */
function sorted(keys: string[]): string[] {
  if (keys.length > 16) return keys.sort();
  for (let from = 1; from < keys.length; from++) {
    const key = keys[from] as string;
    let to = from;
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string;
    keys[to] = key;
  }
  return keys;
}
