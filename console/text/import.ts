import type { CreateMembersBody } from '@realmkeep/client';
import { type CsvRecord, guarded } from '../../src/csv/csv.ts';
import { type Body, cellValue, namedField, put, REFUSED_COLUMNS } from '../../src/csv/members.ts';
import { formatNumber, plural } from './format.ts';
import {
  type BoundedKind,
  hasMeaning,
  IGNORED,
  readPoints,
  type Target,
} from './import-columns.ts';
import { isAccount, isMemberId, walletKey } from './shapes.ts';
import { parseWallet } from './wallet-address.ts';

export { ImportTrace, type TracedRecord, type Undoing } from '../../src/csv/import-trace.ts';

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

/** Reads the rows below the headers, and finds what the service would refuse in any case. */
export function readRows(
  records: CsvRecord[],
  targets: Target[],
  kinds: BoundedKind[] = [],
): ReadRow[] {
  const areRead = hasMeaning(targets);
  const ids = new Map<string, number>();
  const wallets = new Map<string, number>();
  return records.map((record) => {
    const { line, fields: cells } = record;
    const { member, faults } = readRow(record, targets, kinds);
    // Nothing is wrong with rows before it is known what they mean.
    if (!areRead) return { line, cells, member: {}, fault: null };
    const id = member.id === undefined ? [] : [String(member.id)];
    const earlier = claimed(ids, id, line);
    if (earlier !== undefined) faults.push(`the id is also in line ${earlier}`);
    // A row that is left out takes no wallet from another.
    const claims = faults.length > 0 ? [] : (member.wallets ?? []).map(walletKey);
    const owner = claimed(wallets, claims, line);
    if (owner !== undefined) faults.push(`the wallet is also in line ${owner}`);
    return { line, cells, member, fault: faults.length > 0 ? faults.join('; ') : null };
  });
}

/** The line that has one of these already; else they are noted. */
function claimed(lines: Map<string, number>, keys: string[], line: number): number | undefined {
  const taken = keys.find((key) => lines.has(key));
  if (taken !== undefined) return lines.get(taken);
  for (const key of keys) lines.set(key, line);
  return undefined;
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
    const isRead = target !== IGNORED && text.trim() !== '';
    const found = isRead ? take(body, target, text, kinds) : null;
    if (found) faults.push(found);
  }
  if (faults.length === 0 && Object.keys(body).length === 0) faults.push('it is empty');
  // What is wrong with its types is among the faults, and such a row is not sent.
  return { member: body as NewMember, faults };
}

/** Debts and balances that their kind does not allow. Nobody is refused for having too little. */
function boundFault(kind: BoundedKind | undefined, value: number, cell: string): string | null {
  const { name, minimumBalance: least = 0, maximumBalance: most = 0 } = kind ?? {};
  if (!kind) return null;
  if (value < Math.min(0, least))
    return `${name} cannot be ${cell}: the lowest is ${formatNumber(least)}`;
  return value > Math.max(0, most)
    ? `${name} cannot be ${cell}: the highest is ${formatNumber(most)}`
    : null;
}

/** Adds one cell to the member; returns what is wrong with it. */
function take(body: Body, target: Target, text: string, kinds: BoundedKind[]): string | null {
  const cell = text.trim();
  const [group, kind] = namedField(target) ?? [];
  if (group !== 'balances') {
    const value = cellValue(target, text, JSON.parse);
    put(body, target, value);
    return faultOf(target, value, cell);
  }
  const read = readPoints(text);
  if ('fault' in read) return read.fault;
  put(body, target, read.value);
  return boundFault(
    kinds.find(({ id }) => id === kind),
    read.value,
    cell,
  );
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
      return /^(active|frozen)$/.test(String(value))
        ? null
        : `“${cell}” is neither active nor frozen`;
    case 'wallets':
      return walletFault(value);
    case 'accounts':
      return accountsOf(target, value).every(isAccountObject)
        ? null
        : `“${cell}” is not an account`;
    case 'metadata':
      return target !== 'metadata' || isExactObject(value) ? null : NOT_METADATA;
    default:
      return null;
  }
}

const NOT_METADATA = 'custom data is no JSON object, or has a number beyond 2^53';

function walletFault(value: unknown): string | null {
  for (const text of [value].flat().map(String)) {
    const parsed = parseWallet(text);
    if ('fault' in parsed) return `the wallet “${text}” ${parsed.fault}`;
  }
  return null;
}

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
