import type { CreateMembersBody } from '@realmkeep/client';
import { type CsvRecord, guarded } from '../../src/csv/csv.ts';
import {
  type Body,
  cellValue,
  findColumns,
  namedField,
  put,
  REFUSED_COLUMNS,
} from '../../src/csv/members.ts';
import { readWhole } from './amounts.ts';
import { formatNumber, plural } from './format.ts';
import { isAccount, isMemberId } from './shapes.ts';

/** What a column of a list means: a field of a member as an exported file names it, or nothing. */
export type Target = string;

export const IGNORED: Target = '';

/** A member to be enrolled, as the service takes it. */
export type NewMember = CreateMembersBody['members'][number];

export interface ReadRow {
  /** In the file, counted from 1: where the row begins. */
  line: number;
  cells: string[];
  member: NewMember;
  /** Why it cannot be imported; null if it can. */
  fault: string | null;
}

interface Kind {
  id: string;
  name: string;
  isDefault: boolean;
}

/** A kind whose balances are read. */
interface BoundedKind extends Kind {
  minimumBalance: number;
  maximumBalance: number;
}

/** What the columns probably mean, by their headers. */
export function guessTargets(headers: string[], kinds: Kind[]): Target[] {
  const { sources } = findColumns(headers, kinds);
  const targets = headers.map(() => IGNORED);
  for (const [field, header] of sources) {
    if (isTarget(field, kinds)) targets[headers.indexOf(header)] = field;
  }
  return targets;
}

const isTarget = (field: string, kinds: Kind[]): boolean => {
  const [group, name] = namedField(field) ?? [];
  return group === 'balances' ? kinds.some(({ id }) => id === name) : field !== 'balances';
};

/** What a column with this header may be chosen to mean. */
export function targetChoices(header: string, kinds: Kind[]): { value: Target; label: string }[] {
  const [group, name = ''] = namedField(header) ?? ['metadata', header.trim()];
  const named = {
    accounts: { value: `accounts.${name}`, label: `Account at ${name}` },
    metadata: { value: `metadata.${name}`, label: `Your own data “${name}”` },
  }[group];
  return [
    { value: IGNORED, label: 'Leave out' },
    { value: 'id', label: 'Id' },
    { value: 'displayName', label: 'Name' },
    { value: 'username', label: 'Handle' },
    ...kinds.map(({ id, name: label }) => ({ value: `balances.${id}`, label })),
    { value: 'wallets', label: 'Wallets' },
    { value: 'accounts.discord', label: 'Discord account' },
    { value: 'accounts', label: 'Accounts' },
    { value: 'status', label: 'Status' },
    { value: 'metadata', label: 'Your own data' },
    ...(named && namedField(named.value) && named.value !== 'accounts.discord' ? [named] : []),
  ];
}

/** A meaning that two columns have, although a member has it once; null if there is none. */
export const repeatedTarget = (targets: Target[]): Target | null =>
  targets.find(
    (target, index) =>
      target !== IGNORED &&
      !/^(wallets|accounts)\b/.test(target) &&
      targets.indexOf(target) !== index,
  ) ?? null;

/** Whether any column means something. */
export const hasMeaning = (targets: Target[]): boolean =>
  targets.some((target) => target !== IGNORED);

/** A column without a name is called by its place. */
export const columnName = (headers: readonly string[], index: number): string =>
  headers[index] || `Column ${index + 1}`;

/** The columns with something in them that is left out nonetheless. */
export const leftOut = (headers: string[], targets: Target[], rows: ReadRow[]): string[] =>
  headers.flatMap((header, index) => {
    const isLeftOut = targets[index] === IGNORED && !REFUSED_COLUMNS.includes(header);
    const isFilled = isLeftOut && rows.some(({ cells }) => (cells[index] ?? '').trim() !== '');
    return isFilled ? [columnName(headers, index)] : [];
  });

/** Reads the rows below the headers, and finds what the service would refuse in any case. */
export function readRows(
  records: CsvRecord[],
  targets: Target[],
  kinds: BoundedKind[] = [],
): ReadRow[] {
  const areRead = hasMeaning(targets);
  const firstLine = new Map<string, number>();
  return records.map((record) => {
    const { line, fields: cells } = record;
    const { member, faults } = readRow(record, targets, kinds);
    // Nothing is wrong with rows before it is known what they mean.
    if (!areRead) return { line, cells, member: {}, fault: null };
    const id = member.id === undefined ? null : String(member.id);
    const earlier = id === null ? undefined : firstLine.get(id);
    if (earlier !== undefined) faults.push(`the id is also in line ${earlier}`);
    else if (id !== null) firstLine.set(id, line);
    return { line, cells, member, fault: faults.length > 0 ? faults.join('; ') : null };
  });
}

function readRow(
  { fields: cells, fault }: CsvRecord,
  targets: Target[],
  kinds: BoundedKind[],
): { member: NewMember; faults: string[] } {
  if (fault !== null) return { member: {}, faults: [`it ${fault}`] };
  const body: Body = {};
  const faults: string[] = [];
  if (cells.length !== targets.length) {
    faults.push(`it has ${plural(cells.length, 'cell')} instead of ${targets.length}`);
  }
  for (const [index, target] of targets.entries()) {
    const text = cells[index] ?? '';
    const found = target === IGNORED || text.trim() === '' ? null : take(body, target, text);
    if (found) faults.push(found);
  }
  if (Object.keys(body).length === 0) faults.push('it is empty');
  faults.push(...boundFaults(body, kinds));
  // What is wrong with its types is among the faults, and such a row is not sent.
  return { member: body as NewMember, faults };
}

/** Debts and balances that their kinds do not allow. Nobody is refused for having too little. */
function boundFaults({ balances = {} }: Body, kinds: BoundedKind[]): string[] {
  const given = balances as Record<string, number>;
  return kinds.flatMap(({ id, name, minimumBalance: least, maximumBalance: most }) => {
    const value = given[id] ?? 0;
    if (value < Math.min(0, least)) {
      return [`${name} cannot be ${formatNumber(value)}: the lowest is ${formatNumber(least)}`];
    }
    return value > Math.max(0, most)
      ? [`${name} cannot be ${formatNumber(value)}: the highest is ${formatNumber(most)}`]
      : [];
  });
}

/** Adds one cell to the member; returns what is wrong with it. */
function take(body: Body, target: Target, text: string): string | null {
  const cell = text.trim();
  let value = cellValue(target, text, JSON.parse);
  if (namedField(target)?.[0] === 'balances' && typeof value !== 'number') {
    const read = readWhole(cell);
    if ('fault' in read) return read.fault.replace(/\.$/, '');
    value = read.value;
  }
  put(body, target, value);
  return faultOf(target, value, cell);
}

function faultOf(target: Target, value: unknown, cell: string): string | null {
  switch (namedField(target)?.[0] ?? target) {
    case 'id':
      return isMemberId(cell) ? null : `“${cell}” is not an id: digits only, as in Discord`;
    case 'displayName':
      return longerThan(128, value) ? 'the name has more than 128 characters' : null;
    case 'username':
      return longerThan(64, value) ? 'the handle has more than 64 characters' : null;
    case 'status':
      return /^(active|frozen)$/.test(cell) ? null : `“${cell}” is neither active nor frozen`;
    case 'accounts':
      return accountsOf(target, value).every(isAccountObject)
        ? null
        : `“${cell}” is not an account`;
    case 'balances':
      return Number.isSafeInteger(value) ? null : `“${cell}” is too large`;
    case 'metadata':
      return target !== 'metadata' || isExactObject(value) ? null : NOT_METADATA;
    default:
      return null;
  }
}

const NOT_METADATA = 'your own data is no JSON object, or has a number beyond 2^53';

const longerThan = (most: number, text: unknown): boolean => [...String(text)].length > most;

function accountsOf(target: Target, value: unknown): unknown[] {
  if (target === 'accounts') return Array.isArray(value) ? value : [value];
  return [{ provider: namedField(target)?.[1], id: value }];
}

const isAccountObject = (value: unknown): boolean => {
  const { provider, id } = (value ?? {}) as Body;
  return isAccount(provider, id);
};

/** Whether no number of it has lost digits. */
function isExactObject(value: unknown): boolean {
  const isExact = (one: unknown): boolean =>
    typeof one === 'object' && one !== null
      ? Object.values(one).every(isExact)
      : typeof one !== 'number' || !Number.isInteger(one) || Number.isSafeInteger(one);
  return typeof value === 'object' && !Array.isArray(value) && isExact(value);
}

/** Rows in one call: enough to be quick, few enough to show progress. */
const MOST_ROWS = 500;
/** The service takes 512 KiB, and a character has up to 3 bytes. */
const MOST_CHARACTERS = 150_000;

const hasId = ({ member }: ReadRow): boolean => member.id !== undefined;

/** The rows without faults: first those with an id, which are sent apart from the others. */
export function inSendingOrder(rows: readonly ReadRow[]): ReadRow[] {
  const good = rows.filter(({ fault }) => fault === null);
  return good.toSorted((a, b) => Number(hasId(b)) - Number(hasId(a)));
}

/** The rows of the next call, from `start` on. They begin anew wherever a call has ended. */
export function nextBatch(rows: readonly ReadRow[], start: number): ReadRow[] {
  const batch: ReadRow[] = [];
  let characters = 0;
  for (const row of rows.slice(start, start + MOST_ROWS)) {
    if (batch[0] && hasId(batch[0]) !== hasId(row)) break;
    characters += JSON.stringify(row.member).length;
    if (batch.length > 0 && characters > MOST_CHARACTERS) break;
    batch.push(row);
  }
  return batch;
}

/** Rows as a file that can be corrected and imported, each with its line and the reason. */
export function rowsAsFile(
  headers: readonly string[],
  rows: readonly (ReadRow & { reason: string })[],
): string[][] {
  const own = (cells: readonly string[]): string[] =>
    cells.filter((_, index) => !REFUSED_COLUMNS.includes(headers[index] ?? ''));
  return [
    [...REFUSED_COLUMNS, ...own(headers)],
    ...rows.map(({ line, cells, reason }) => [String(line), guarded(reason), ...own(cells)]),
  ];
}
