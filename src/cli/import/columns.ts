import { type Json, readJson } from '../../contract/json.ts';
import {
  type Body,
  type Columns,
  cellValue,
  fieldNames,
  findColumns,
  isField,
  isNamed,
  isObject,
  listOr,
  namedField,
  put,
} from '../../csv/members.ts';
import type { PointKind } from '../../domain/model.ts';
import { UsageError } from '../command.ts';
import { counted, printable } from '../terminal.ts';

/** Characters of a header, which may be a whole file. */
const MAX_SHOWN = 1_000;

/** What columns are found by: fields and columns as `--map` names them, and kinds of points. */
export interface Fields {
  mapping: ReadonlyMap<string, string>;
  kinds: readonly PointKind[];
}

export function fieldsOf(typed: readonly string[], kinds: readonly PointKind[]): Fields {
  const mapping = new Map<string, string>();
  for (const text of typed) {
    const [, field = '', column = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (!isField(field)) {
      throw new UsageError(
        `--map ${text} must be <field>=<column>; fields are ${fieldNames}, ` +
          'balances.<kind>, accounts.<provider> and metadata.<name>.',
      );
    }
    const [group, kind] = namedField(field) ?? [];
    if (group === 'balances' && !kinds.some(({ id }) => id === kind)) {
      const ids = kinds.map(({ id }) => id).join(', ');
      throw new UsageError(`There is no kind of points "${kind}". The realm has ${ids}.`);
    }
    mapping.set(field, column);
  }
  return { mapping, kinds };
}

/** Finds the columns of a header, which must have those that are necessary. */
export function columnsOfHeader(names: readonly string[], { mapping, kinds }: Fields): Columns {
  const list = printable(names.join(', '));
  const shown = list.length > MAX_SHOWN ? `${list.slice(0, MAX_SHOWN)} …` : `${list}.`;
  const all = `Its ${counted(names.length, 'column')}: ${shown}`;
  const missing = [...mapping.values()].find((column) => !names.includes(column));
  if (missing !== undefined) throw new UsageError(`There is no column "${missing}". ${all}`);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new UsageError(`Two columns are named "${printable(twice)}". ${all}`);
  }
  const columns = findColumns(names, kinds, mapping);
  if (columns.sources.has('id')) return columns;
  throw new UsageError(`Which column is the member's id? Name it with --map id=<column>. ${all}`);
}

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
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
