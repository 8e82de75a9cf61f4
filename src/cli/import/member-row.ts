import { type Json, readJson } from '../../contract/json.ts';
import { unguarded } from '../csv.ts';
import type { Columns } from './columns.ts';

/** The body of a member, as far as a row has it; nothing of it has been checked. */
export type Body = Record<string, unknown>;

/** A member from the fields of a CSV record: text becomes what its field is made of. */
export function bodyOfRecord({ sources }: Columns, read: (column: string) => string): Body {
  return bodyOf(sources, (field, column) => {
    const text = read(column);
    return text.trim() === '' ? undefined : cellValue(field, text);
  });
}

/** A member from an object of a JSON file, whose types are the API's. */
export function bodyOfObject({ sources }: Columns, row: Body): Body {
  return bodyOf(sources, (field, column) => jsonValue(field, at(row, column)));
}

function bodyOf(
  sources: Columns['sources'],
  read: (field: string, column: string) => unknown,
): Body {
  const body: Body = {};
  for (const [field, column] of sources) {
    const value = read(field, column);
    if (value !== undefined) put(body, field, value);
  }
  return body;
}

/** Sets a field, or one inside `balances`, `metadata` or `accounts`. */
function put(body: Body, field: string, value: unknown): void {
  const dot = field.indexOf('.');
  if (dot === -1) {
    const before = body[field];
    body[field] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    return;
  }
  const [group, name] = [field.slice(0, dot), field.slice(dot + 1)];
  if (group === 'accounts') put(body, group, [{ provider: name, id: value }]);
  else body[group] = { ...(body[group] as Body | undefined), [name]: value };
}

const isNamed = (field: string, group: string): boolean => field.startsWith(`${group}.`);

function cellValue(field: string, text: string): unknown {
  if (field === 'username' || field === 'displayName') return unguarded(text);
  const cell = text.trim();
  if (isNamed(field, 'balances')) return integerOr(cell);
  if (isNamed(field, 'metadata')) return unguarded(text);
  if (field === 'metadata' || field === 'balances' || cell.startsWith('[')) return jsonOr(cell);
  return listOr(field, cell);
}

/** Several in one cell are separated. Neither an account's id nor an address has white space. */
function listOr(field: string, text: string): unknown {
  if (field === 'wallets') return text.split(/[\s,;|]+/).filter((one) => one !== '');
  if (field === 'accounts') return text.split(/\s+/).map(accountOf);
  return text;
}

function accountOf(text: string): unknown {
  const colon = text.indexOf(':');
  return colon === -1 ? text : { provider: text.slice(0, colon), id: text.slice(colon + 1) };
}

/** Text that is no integer is left for the check to name. */
const integerOr = (text: string): unknown => (/^[+-]?\d+(\.0+)?$/.test(text) ? Number(text) : text);

function jsonOr(text: string): unknown {
  try {
    return readJson(Buffer.from(text));
  } catch {
    return text;
  }
}

function jsonValue(field: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (isNamed(field, 'accounts')) return typeof value === 'object' ? value : String(value);
  return typeof value === 'string' ? listOr(field, value) : value;
}

/** The value of a key, or else at a path of keys that are separated by dots. */
function at(row: Body, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  let value: unknown = row;
  for (const key of column.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Body)[key];
  }
  return value;
}

export const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
