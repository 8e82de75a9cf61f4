import { type Json, readJson } from '../../contract/bodies.ts';
import {
  type Body,
  balanceQuestion,
  type Columns,
  cellValue,
  defaultBalance,
  fieldNames,
  findColumns,
  isBalance,
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
  /** Of a field that no option names. */
  isWanted(field: string): boolean;
}

interface Typed {
  map?: readonly string[] | undefined;
  'no-balances'?: boolean | undefined;
}

export function fieldsOf(
  { map = [], 'no-balances': hasNone = false }: Typed,
  kinds: readonly PointKind[],
): Fields {
  const mapping = new Map<string, string>();
  const declined = new Set<string>();
  for (const text of map) {
    const [, field = '', column = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (!isField(field)) {
      throw new UsageError(
        `--map ${text} must be <field>=<column>; fields are ${fieldNames}, ` +
          'balances.<kind>, accounts.<provider> and metadata.<name>.',
      );
    }
    if (hasNone && isBalance(field)) {
      throw new UsageError(`--map ${text} and --no-balances exclude each other.`);
    }
    const [group, kind] = namedField(field) ?? [];
    if (group === 'balances' && !kinds.some(({ id }) => id === kind)) {
      const ids = kinds.map(({ id }) => id).join(', ');
      throw new UsageError(`There is no kind of points "${kind}". The realm has ${ids}.`);
    }
    if (column === '') declined.add(field);
    else mapping.set(field, column);
  }
  const isWanted = (field: string) => !declined.has(field) && !(hasNone && isBalance(field));
  return { mapping, kinds, isWanted };
}

export const columnsOf = (names: readonly string[], { mapping, kinds, isWanted }: Fields) =>
  findColumns(names, kinds, mapping, isWanted);

/** Columns for a sentence: an end of lines with a separator makes one without a name. */
export const listed = (names: readonly string[]): string =>
  printable(names.map((name) => name || '(no name)').join(', '));

function allOf(names: readonly string[]): string {
  const list = listed(names);
  const shown = list.length > MAX_SHOWN ? `${list.slice(0, MAX_SHOWN)} …` : `${list}.`;
  return `Its ${counted(names.length, 'column')}: ${shown}`;
}

/** Finds the columns of a header, which must have those that are necessary. */
export function columnsOfHeader(names: readonly string[], fields: Fields): Columns {
  const all = allOf(names);
  const missing = [...fields.mapping.values()].find((column) => !names.includes(column));
  if (missing !== undefined) throw new UsageError(`There is no column "${missing}". ${all}`);
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new UsageError(`Two columns are named "${printable(twice)}". ${all}`);
  }
  const columns = columnsOf(names, fields);
  if (columns.sources.has('id')) return columns;
  throw new UsageError(`Which column is the member's id? Name it with --map id=<column>. ${all}`);
}

export interface FoundColumns {
  readonly used: ReadonlyMap<string, string>;
  readonly ignored: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
}

/** Refuses a file whose balances would be left out without a word. */
export function requireBalances(
  { used, ignored, undecided }: FoundColumns,
  { kinds, isWanted }: Fields,
): void {
  const balance = defaultBalance(kinds);
  const asked = balanceQuestion([...used.keys()], [...undecided]);
  if (asked === null || !isWanted('balances') || used.size + ignored.size === 0) return;
  const which = listed(asked).replace(/, ([^,]*)$/, ' or $1');
  const question = which === '' ? 'No column is a balance.' : `Which is the balance, ${which}?`;
  const advice = `Name it with --map ${balance}=<column>, or import none with --no-balances.`;
  throw new UsageError(`${question} ${advice} ${allOf([...used.values(), ...ignored])}`);
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
