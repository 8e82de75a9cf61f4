import { plural } from './format.ts';

/** What a column of a list means. */
export type Target =
  | 'ignore'
  | 'id'
  | 'displayName'
  | 'username'
  | 'discord'
  | 'wallet'
  | `points:${string}`;

/** A member to be enrolled, as the service takes it. */
export interface NewMember {
  id?: string;
  displayName?: string;
  username?: string;
  accounts?: { provider: string; id: string }[];
  wallets?: string[];
  balances?: Record<string, number>;
}

export interface ReadRow {
  /** In the file, counted from 1, with the line of headers. */
  line: number;
  cells: string[];
  member: NewMember;
  /** Why it cannot be imported; null if it can. */
  fault: string | null;
}

const GUESSES: [RegExp, Target][] = [
  [/^(member.?|user.?|discord.?)?id$/i, 'id'],
  [/display.?name|^name$|full.?name|nick/i, 'displayName'],
  [/user.?name|handle|login/i, 'username'],
  [/discord/i, 'discord'],
  [/wallet|address|eth/i, 'wallet'],
];

/** What the columns probably mean, by their headers. No meaning is given twice, except wallets. */
export function guessTargets(headers: string[], kinds: { id: string; name: string }[]): Target[] {
  const taken = new Set<Target>();
  return headers.map((header) => {
    const guess = guessOf(header.trim(), kinds);
    if (taken.has(guess) && guess !== 'wallet') return 'ignore';
    taken.add(guess);
    return guess;
  });
}

function guessOf(header: string, kinds: { id: string; name: string }[]): Target {
  const same = (text: string): boolean => text.toLowerCase() === header.toLowerCase();
  const kind = kinds.find(({ id, name }) => same(id) || same(name)) ?? kinds[0];
  if (kind && (same(kind.id) || same(kind.name))) return `points:${kind.id}`;
  const [, target] = GUESSES.find(([pattern]) => pattern.test(header)) ?? [];
  if (target) return target;
  return kind && /points|balance|tokens|score|xp/i.test(header) ? `points:${kind.id}` : 'ignore';
}

/** Reads the rows below the headers, and finds what the service would refuse in any case. */
export function readRows(rows: string[][], targets: Target[]): ReadRow[] {
  const firstLine = new Map<string, number>();
  return rows.map((cells, index) => {
    const line = index + 2;
    const { member, faults } = readRow(cells, targets);
    if (member.id !== undefined) {
      const earlier = firstLine.get(member.id);
      if (earlier === undefined) firstLine.set(member.id, line);
      else faults.push(`the id is also in line ${earlier}`);
    }
    return { line, cells, member, fault: faults.length > 0 ? faults.join('; ') : null };
  });
}

function readRow(cells: string[], targets: Target[]): { member: NewMember; faults: string[] } {
  const member: NewMember = {};
  const faults: string[] = [];
  if (cells.length !== targets.length) {
    faults.push(`it has ${plural(cells.length, 'cell')} instead of ${targets.length}`);
  }
  for (const [index, target] of targets.entries()) {
    const text = cells[index]?.trim() ?? '';
    const fault = text === '' ? null : take(member, target, text);
    if (fault) faults.push(fault);
  }
  if (Object.keys(member).length === 0) faults.push('it is empty');
  return { member, faults };
}

const LARGEST_ID = 2n ** 63n - 1n;

/** Adds one cell to the member; returns what is wrong with it. */
function take(member: NewMember, target: Target, text: string): string | null {
  switch (target) {
    case 'ignore':
      return null;
    case 'id':
      member.id = text;
      return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= LARGEST_ID
        ? null
        : `“${text}” is not an id: digits only, as in Discord`;
    case 'displayName':
    case 'username':
      member[target] = text;
      return text.length > 128 ? 'the name has more than 128 characters' : null;
    case 'discord':
      member.accounts = [{ provider: 'discord', id: text }];
      return /^[\x21-\x7e]{1,128}$/.test(text) ? null : `“${text}” is not an account`;
    case 'wallet':
      member.wallets = [...(member.wallets ?? []), text];
      return null;
    default:
      return takePoints(member, target.slice('points:'.length), text);
  }
}

function takePoints(member: NewMember, kind: string, text: string): string | null {
  const digits = text.replaceAll(/[\s,'_](?=\d{3}(?!\d))/g, '');
  const value = Number(digits);
  if (!/^-?\d+$/.test(digits) || !Number.isSafeInteger(value)) {
    return `“${text}” is not a whole number of points`;
  }
  member.balances = { ...member.balances, [kind]: value };
  return null;
}
