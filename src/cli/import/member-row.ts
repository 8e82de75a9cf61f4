import { type Json, readJson } from '../../contract/json.ts';
import { type Body, cellValue, isNamed, listOr, put } from '../../csv/member-cells.ts';
import type { Columns } from '../../csv/member-columns.ts';

/** A member from the fields of a CSV record: text becomes what its field is made of. */
export function bodyOfRecord({ sources }: Columns, read: (column: string) => string): Body {
  return bodyOf(sources, (field, column) => {
    const text = read(column);
    return text.trim() === '' ? undefined : cellValue(field, text, readText);
  });
}

const readText = (text: string): Json => readJson(Buffer.from(text));

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
