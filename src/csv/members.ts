import type { Account, PointKind, Profile } from '../domain/model.ts';
import { guarded, unguarded } from './csv.ts';

/** Which columns of a file are which fields of a member. */
const NAMED_FIELD = /^(accounts|balances|metadata)\.(?!__proto__$)(.+)$/;

/** What programs call each field, in lower case without punctuation; the best first. */
const GUESSES: Record<keyof Profile | 'id' | 'status' | 'wallets' | 'balances', string[]> = {
  id: ['id', 'memberid', 'userid', 'discordid', 'discorduserid', 'snowflake', 'uid'],
  username: ['username', 'user', 'handle', 'usertag', 'discordusername'],
  displayName: ['displayname', 'name', 'nickname', 'nick', 'globalname'],
  status: ['status'],
  accounts: [],
  wallets: ['wallets', 'wallet', 'walletaddress', 'address', 'addresses'],
  tags: ['tags', 'labels'],
  note: ['note', 'notes'],
  metadata: [],
  balances: [],
};
const FIELD_NAMES = Object.keys(GUESSES);
const DISCORD_GUESSES = ['accounts.discord', 'discord', 'discordid', 'discorduserid'];
/** What programs call the balance of the one kind of points that they have. */
const BALANCE_GUESSES = [
  ...['balance', 'points', 'coins', 'cash', 'xp', 'gems', 'credits'],
  ...['tokenbalance', 'tokens'],
];

/** What a file of refused rows begins with; an import does not read it. */
export const REFUSED_COLUMNS = ['refusedLine', 'refusedReason'];

/** A kind of points, as far as a column may be named after it. */
type Kind = Pick<PointKind, 'id' | 'isDefault'>;
type NamedKind = Kind & Pick<PointKind, 'name'>;

/** Which column each field of a member is read from, and those that are not read. */
export interface Columns {
  readonly sources: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
  /** Of these, any may be the balance of the default kind of points, and none is read. */
  readonly undecided: readonly string[];
}

/** The names of fields, for a sentence. */
export const fieldNames: string = FIELD_NAMES.join(', ');

export const isField = (name: string): boolean =>
  FIELD_NAMES.includes(name) || NAMED_FIELD.test(name);

/** `['balances', 'gems']` of `balances.gems`; null for a field without a name inside it. */
export function namedField(field: string): [group: string, name: string] | null {
  const [, group, name] = NAMED_FIELD.exec(field) ?? [];
  return group !== undefined && name !== undefined ? [group, name] : null;
}

export const isBalance = (field: string): boolean => /^balances(\.|$)/.test(field);

/** Finds the columns of fields: as mapped, by the field's own name, or by a usual one. */
export function findColumns(
  names: readonly string[],
  kinds: readonly NamedKind[],
  mapping: ReadonlyMap<string, string> = new Map(),
  isWanted: (field: string) => boolean = () => true,
): Columns {
  const sources = new Map(mapping);
  const used = new Set(sources.values());
  const take = (field: string, name: string): void => {
    if (used.has(name) || sources.has(field) || !isWanted(field)) return;
    sources.set(field, name);
    used.add(name);
  };
  for (const name of names) if (isField(name)) take(name, name);
  const takeGuessed = (field: string, guesses: string[]): void => {
    for (const guess of guesses) {
      const found = names.find((name) => plain(name) === guess);
      if (found !== undefined) take(field, found);
    }
  };
  for (const [field, guesses] of Object.entries(GUESSES)) takeGuessed(field, guesses);
  takeGuessed('accounts.discord', DISCORD_GUESSES);
  for (const kind of kinds) takeGuessed(`balances.${kind.id}`, kindGuesses(kind));
  const balance = defaultBalance(kinds);
  const isOpen = !sources.has('balances') && !sources.has(balance) && isWanted(balance);
  const found = isOpen ? balanceColumns(names.filter((name) => !used.has(name))) : [];
  if (found.length === 1) take(balance, found[0] ?? '');
  const undecided = found.length > 1 ? found : [];
  return { sources, ignored: names.filter((name) => !used.has(name)), undecided };
}

const kindGuesses = ({ id, name }: NamedKind): string[] =>
  [`balances.${id}`, id, name].map(plain).filter((one) => one !== '');

/** The field of the balance that most files have. */
export const defaultBalance = (kinds: readonly Kind[]): string =>
  `balances.${kinds.find(({ isDefault }) => isDefault)?.id ?? ''}`;

/** `tokens` stands beside other names of the same balance in what older programs write. */
function balanceColumns(names: readonly string[]): string[] {
  const found = names.filter((name) => BALANCE_GUESSES.includes(plain(name)));
  const others = found.filter((name) => plain(name) !== 'tokens');
  return others.length > 0 ? others : found;
}

/** Which of several columns is the balance or, if the list is empty, whether it has none indeed. */
export function balanceQuestion(
  fields: readonly string[],
  undecided: readonly string[],
): readonly string[] | null {
  return undecided.length === 0 && fields.some(isBalance) ? null : undecided;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');

/** The body of a member, as far as a row has it; nothing of it has been checked. */
export type Body = Record<string, unknown>;

/** Reads JSON; throws if the text is none. */
type ReadJson = (text: string) => unknown;

/** The value of a field from its cell, which is not blank. What is wrong is left for the check. */
export function cellValue(field: string, text: string, readJson: ReadJson): unknown {
  if (isWritten(field)) return unguarded(text);
  if (field === 'tags') return listOr(field, unguarded(text));
  const cell = text.trim();
  if (field === 'status') return cell.toLowerCase();
  if (isNamed(field, 'balances')) return integerOr(cell);
  if (field === 'metadata' || field === 'balances' || cell.startsWith('[')) {
    return jsonOr(cell, readJson);
  }
  return listOr(field, cell);
}

/** Several in one cell are separated. Neither an account's id nor an address has white space. */
export function listOr(field: string, text: string): unknown {
  if (field === 'wallets') return listed(text, /[\s,;|]+/);
  if (field === 'accounts') return text.split(/\s+/).map(accountOf);
  if (field === 'tags') return listed(text, /\s*[,;|]\s*/);
  return text;
}

const listed = (text: string, between: RegExp): string[] =>
  text
    .trim()
    .split(between)
    .filter((one) => one !== '');

/** Sets a field, or adds to it. What cannot be added to is left as it is, for the check to find. */
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

export const isObject = (value: unknown): value is Body =>
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
  tags: (tags) => guarded(tags.join(', ')),
  note: writtenCell,
  metadata: jsonCell,
};

const isWritten = (field: string): boolean =>
  isNamed(field, 'metadata') || cells[field as CellField] === writtenCell;

/** A column of an exported file of members. */
interface MemberColumn {
  name: string;
  cell(member: ExportedMember): string;
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

/** What follows a semicolon may be taken for a cell of its own, and so for a formula. */
function jsonCell(value: object): string {
  return JSON.stringify(value).replaceAll(';', '\\u003b');
}

/** `provider:id`, as far as that is all of them. */
function accountsCell(accounts: readonly Account[]): string {
  const isPlain = accounts.every(({ id, username }) => username === null && !id.includes(';'));
  if (!isPlain) return jsonCell(accounts);
  return accounts.map(({ provider, id }) => `${provider}:${id}`).join(' ');
}
