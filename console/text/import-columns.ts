import {
  balanceQuestion,
  cellValue,
  defaultBalance,
  findColumns,
  isBalance,
  namedField,
  REFUSED_COLUMNS,
} from '../../src/csv/members.ts';
import { readWhole } from './amounts.ts';
import { idFrom } from './ids.ts';

/** What a column of a list means: a field of a member as an exported file names it, or nothing. */
export type Target = string;

export const IGNORED: Target = '';

interface Kind {
  id: string;
  name: string;
  isDefault: boolean;
}

/** As far as columns are concerned. */
interface Cells {
  cells: string[];
}

/** A kind whose balances are read. */
export interface BoundedKind extends Kind {
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
export function targetChoices(
  header: string,
  kinds: Kind[],
  newKind: NewKind | null = null,
): { value: Target; label: string }[] {
  const [group, name = ''] = namedField(header) ?? ['metadata', header.trim()];
  const named = {
    accounts: { value: `accounts.${name}`, label: `Account at ${name}` },
    metadata: { value: `metadata.${name}`, label: `Custom data “${name}”` },
  }[group];
  return [
    { value: IGNORED, label: 'Leave out' },
    { value: 'id', label: 'Id' },
    { value: 'displayName', label: 'Name' },
    { value: 'username', label: 'Handle' },
    ...kinds.map(({ id, name: label }) => ({ value: `balances.${id}`, label })),
    ...(newKind
      ? [{ value: `balances.${newKind.id}`, label: `New point type “${newKind.name}”` }]
      : []),
    { value: 'wallets', label: 'Wallets' },
    { value: 'accounts.discord', label: 'Discord account' },
    { value: 'accounts', label: 'Accounts' },
    { value: 'status', label: 'Status' },
    { value: 'tags', label: 'Tags' },
    { value: 'note', label: 'Note' },
    { value: 'metadata', label: 'Custom data (JSON)' },
    ...(named && namedField(named.value) && named.value !== 'accounts.discord' ? [named] : []),
  ];
}

/** A kind of points that an import creates. */
export interface NewKind {
  id: string;
  name: string;
}

const LONGEST_KIND_ID = 32;
const LONGEST_KIND_NAME = 64;

/** What a column could become that holds numbers and that no kind of points is named after. */
export function newKindOf(index: number, headers: string[], rows: Cells[], kinds: Kind[]) {
  const header = headers[index] ?? '';
  const [group, own] = namedField(header) ?? [];
  const name = (group === 'balances' ? own : header)?.slice(0, LONGEST_KIND_NAME) ?? '';
  const id = idFrom(name, LONGEST_KIND_ID);
  const isFree = /\D/.test(id) && kinds.every((kind) => kind.id !== id);
  const isOther = REFUSED_COLUMNS.includes(header);
  return isFree && !isOther && holdsNumbers(index, rows) ? { id, name } : null;
}

/** Most cells do: a wrong one costs its row, not the column. */
function holdsNumbers(index: number, rows: Cells[]): boolean {
  const cells = rows.map(({ cells: all }) => all[index] ?? '').filter((text) => text.trim() !== '');
  return cells.filter((text) => 'value' in readPoints(text)).length > cells.length / 2;
}

/** The number of points in a cell, or what is wrong with it. */
export function readPoints(text: string): { value: number } | { fault: string } {
  const value = cellValue('balances.', text, JSON.parse);
  const read = typeof value === 'number' ? { value } : readWhole(text);
  if ('fault' in read) return { fault: read.fault.replace(/\.$/, '') };
  return Number.isSafeInteger(read.value) ? read : { fault: `“${text.trim()}” is too large` };
}

/**
 * What has to be asked: which of these columns is the balance or, if there are none, whether
 * everybody is to start without points. Null if there is nothing to ask.
 */
export function openQuestion(
  headers: string[],
  targets: Target[],
  kinds: Kind[],
): readonly string[] | null {
  const isAnswered = targets.includes(defaultBalance(kinds));
  const { undecided } = findColumns(headers, kinds);
  const isOpen = (name: string): boolean => targets[headers.indexOf(name)] === IGNORED;
  return balanceQuestion(targets, isAnswered ? [] : undecided.filter(isOpen));
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

/** Whether members who are here already could be given something. */
export const hasOpenings = (targets: Target[]): boolean =>
  targets.includes('id') && targets.some(isBalance);

/** A column without a name is called by its place. */
export const columnName = (headers: readonly string[], index: number): string =>
  headers[index] || `Column ${index + 1}`;

/** The columns with something in them that is left out nonetheless. */
export const leftOut = (headers: string[], targets: Target[], rows: Cells[]): string[] =>
  headers.flatMap((header, index) => {
    const isLeftOut = targets[index] === IGNORED && !REFUSED_COLUMNS.includes(header);
    const isFilled = isLeftOut && rows.some(({ cells }) => (cells[index] ?? '').trim() !== '');
    return isFilled ? [columnName(headers, index)] : [];
  });
