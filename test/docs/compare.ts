/** How what a page shows is compared with what its commands print. */
import { isDeepStrictEqual } from 'node:util';

export interface Difference {
  /** Where in the JSON, or the line of text. */
  at: string;
  shown: unknown;
  printed: unknown;
}

/** Values that differ from run to run, recognised by their form. */
const VOLATILE: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<timestamp>'],
  [/\brk_(root_)?[A-Za-z0-9]+_[A-Za-z0-9…]*/g, '<key>'],
  [/\bkey:[A-Za-z0-9]{12}\b/g, 'key:<id>'],
  [/\b[0-9a-f]{64}\b/g, '<hash>'],
  [/\b(Nonce: )[0-9a-f]{32}\b/g, '$1<nonce>'],
];

/** Fields whose values differ from run to run, whatever their form. */
const VOLATILE_FIELDS = /\.(requestId|keyId|newKeyId|replacedBy)$/;
const KEY_ID = /^[A-Za-z0-9]{12}$/;

const normal = (text: string): string =>
  VOLATILE.reduce((changed, [form, name]) => changed.replaceAll(form, name), text);

/** Whether a text is the one shown; `…` stands for anything. */
function isShown(shown: string, printed: string): boolean {
  const parts = normal(shown).split('…');
  const pattern = parts.map((part) => RegExp.escape(part)).join('.*');
  return new RegExp(`^${pattern}$`, 's').test(normal(printed));
}

function differsInId(shown: unknown, printed: unknown, at: string): boolean {
  if (typeof shown !== 'string' || typeof printed !== 'string') return false;
  return (
    VOLATILE_FIELDS.test(at) ||
    (at.endsWith('.id') && [shown, printed].every((id) => KEY_ID.test(id)))
  );
}

/** Whether both are cursors of one list with one set of filters: the row may be another one. */
function isSameList(shown: string, printed: string): boolean {
  const [one, other] = [cursorParts(shown), cursorParts(printed)];
  return one !== null && other !== null && isDeepStrictEqual(one, other);
}

function cursorParts(text: string): unknown[] | null {
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3) return null;
    const [list, , filters] = parts;
    return [list, filters];
  } catch {
    return null;
  }
}

/** Every difference between two JSON values, the order of fields included. */
export function jsonDifferences(shown: unknown, printed: unknown, at = '$'): Difference[] {
  if (isObject(shown) && isObject(printed)) {
    const names = Object.keys(shown);
    if (names.join() !== Object.keys(printed).join()) {
      return [{ at, shown: names, printed: Object.keys(printed) }];
    }
    return names.flatMap((name) => jsonDifferences(shown[name], printed[name], `${at}.${name}`));
  }
  if (Array.isArray(shown) && Array.isArray(printed) && shown.length === printed.length) {
    return shown.flatMap((each, index) => jsonDifferences(each, printed[index], `${at}[${index}]`));
  }
  const isSame =
    typeof shown === 'string' && typeof printed === 'string'
      ? isShown(shown, printed) || differsInId(shown, printed, at) || isSameList(shown, printed)
      : shown === printed;
  return isSame ? [] : [{ at, shown, printed }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every line shown must be printed, in this order; lines may be left out. */
export function textDifferences(shown: string, printed: string, isExact = false): Difference[] {
  let rest = printed.split('\n').map((line) => line.trimEnd());
  for (const line of shown.split('\n').filter((each) => each.trim() !== '')) {
    const at = isExact
      ? rest.indexOf(line)
      : rest.findIndex((each) => isShown(line.trimEnd(), each));
    if (at === -1) return [{ at: line, shown, printed }];
    rest = rest.slice(at + 1);
  }
  return [];
}

/** The JSON values in a text, one after another, whatever stands between them. */
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  for (let from = text.search(/[{[]/); from < text.length && from !== -1; ) {
    const length = lengthOfValue(text.slice(from));
    values.push(JSON.parse(text.slice(from, from + length)));
    const next = text.slice(from + length).search(/[{[]/);
    from = next === -1 ? -1 : from + length + next;
  }
  return values;
}

/** Up to the bracket that closes the first one. */
function lengthOfValue(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return text.length;
}
