import type { Account, Profile } from '../domain/model.ts';
import { guarded, unguarded } from './line.ts';

/** What the cells of a member's row mean, and how they are written. */

/** The body of a member, as far as a row has it; nothing of it has been checked. */
export type Body = Record<string, unknown>;

/** Reads JSON; throws if the text is none. */
type ReadJson = (text: string) => unknown;

/** The value of a field from its cell, which is not blank. What is wrong is left for the check. */
export function cellValue(field: string, text: string, readJson: ReadJson): unknown {
  if (isWritten(field)) return unguarded(text);
  const cell = text.trim();
  if (isNamed(field, 'balances')) return integerOr(cell);
  if (field === 'metadata' || field === 'balances' || cell.startsWith('[')) {
    return jsonOr(cell, readJson);
  }
  return listOr(field, cell);
}

/** Several in one cell are separated. Neither an account's id nor an address has white space. */
export function listOr(field: string, text: string): unknown {
  if (field === 'wallets') return text.split(/[\s,;|]+/).filter((one) => one !== '');
  if (field === 'accounts') return text.split(/\s+/).map(accountOf);
  return text;
}

/**
 * Sets a field, or adds to `balances`, `metadata`, `accounts` or `wallets`. What cannot be added to
 * is left as it is, for the check to find.
 */
export function put(body: Body, field: string, value: unknown): void {
  const dot = field.indexOf('.');
  if (dot === -1) {
    body[field] = merged(body[field], value) ?? value;
    return;
  }
  const [group, name] = [field.slice(0, dot), field.slice(dot + 1)];
  const part = group === 'accounts' ? [{ provider: name, id: value }] : { [name]: value };
  const before = body[group];
  body[group] = before === undefined ? part : (merged(before, part) ?? before);
}

/** Two lists or two objects as one; undefined if they are neither. */
function merged(before: unknown, value: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return isObject(before) && isObject(value) ? { ...before, ...value } : undefined;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNamed = (field: string, group: string): boolean => field.startsWith(`${group}.`);

function accountOf(text: string): unknown {
  const colon = text.indexOf(':');
  return colon === -1 ? text : { provider: text.slice(0, colon), id: text.slice(colon + 1) };
}

/** `1250.0` is what a table of floats has; in `1.250` the point may separate thousands. */
const integerOr = (text: string): unknown =>
  /^[+-]?\d+(\.0{1,2})?$/.test(text) ? Number(text) : text;

function jsonOr(text: string, readJson: ReadJson): unknown {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

/** A member as the API shows it, as far as it is exported. */
export type ExportedMember = Pick<Profile, keyof Profile> & {
  id: string;
  status: string;
  wallets: readonly string[];
  balances: Readonly<Record<string, number>>;
  createdAt: string;
  updatedAt: string;
};

/** Text that people have written. */
const writtenCell = (text: string | null): string => guarded(text ?? '');

type CellField = Exclude<keyof ExportedMember, 'balances' | 'createdAt' | 'updatedAt'>;

/** The cell of each field. */
const cells: { [F in CellField]: (value: ExportedMember[F]) => string } = {
  id: String,
  username: writtenCell,
  displayName: writtenCell,
  status: String,
  accounts: accountsCell,
  wallets: (wallets) => wallets.join(' '),
  metadata: (metadata) => JSON.stringify(metadata),
};

const isWritten = (field: string): boolean =>
  isNamed(field, 'metadata') || cells[field as CellField] === writtenCell;

/** A column of an exported file of members. */
interface MemberColumn {
  name: string;
  cell(member: ExportedMember): string;
}

interface Kind {
  id: string;
  isDefault: boolean;
}

/** The columns of a file of members, which an import reads. */
export const memberColumns = (kinds: readonly Kind[]): MemberColumn[] => [
  ...(Object.keys(cells) as CellField[]).map(columnOf),
  ...defaultFirst(kinds).map(({ id }) => ({
    name: `balances.${id}`,
    cell: ({ balances }: ExportedMember) => String(balances[id] ?? ''),
  })),
  { name: 'createdAt', cell: ({ createdAt }) => createdAt },
  { name: 'updatedAt', cell: ({ updatedAt }) => updatedAt },
];

const columnOf = <F extends CellField>(name: F): MemberColumn => ({
  name,
  cell: (member) => cells[name](member[name]),
});

const defaultFirst = (kinds: readonly Kind[]): Kind[] =>
  kinds.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || (a.id < b.id ? -1 : 1));

/** `provider:id`, as far as that is all of them. */
function accountsCell(accounts: readonly Account[]): string {
  const hasNames = accounts.some(({ username }) => username !== null);
  if (hasNames) return JSON.stringify(accounts);
  return accounts.map(({ provider, id }) => `${provider}:${id}`).join(' ');
}
