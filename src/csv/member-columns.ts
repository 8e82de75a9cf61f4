import type { Profile } from '../domain/model.ts';

/** Which columns of a file are which fields of a member. */
const NAMED_FIELD = /^(accounts|balances|metadata)\.(?!__proto__$)(.+)$/;

/**
 * The fields, and what programs call them, in lower case without punctuation; the best first. One
 * without such names is found only by its own, as it is.
 */
const GUESSES: Record<keyof Profile | 'id' | 'status' | 'wallets' | 'balances', string[]> = {
  id: ['id', 'memberid', 'userid', 'discordid', 'discorduserid', 'snowflake', 'uid'],
  username: ['username', 'user', 'handle', 'usertag', 'discordusername'],
  displayName: ['displayname', 'name', 'nickname', 'nick', 'globalname'],
  status: [],
  accounts: [],
  wallets: ['wallets', 'wallet', 'walletaddress', 'address', 'addresses'],
  metadata: [],
  balances: [],
};
const FIELD_NAMES = Object.keys(GUESSES);
const DISCORD_GUESSES = ['accounts.discord', 'discord', 'discordid', 'discorduserid'];
const DEFAULT_KIND_GUESSES = ['tokenbalance', 'balance', 'points', 'tokens'];

/** What a file of refused rows begins with; an import does not read it. */
export const REFUSED_COLUMNS = ['refusedLine', 'refusedReason'];

/** A kind of points, as far as a column may be named after it. */
interface NamedKind {
  id: string;
  name: string;
  isDefault: boolean;
}

/** Which column each field of a member is read from, and those that are not read. */
export interface Columns {
  readonly sources: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
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

/** Finds the columns of fields: as mapped, by the field's own name, or by a usual one. */
export function findColumns(
  names: readonly string[],
  kinds: readonly NamedKind[],
  mapping: ReadonlyMap<string, string> = new Map(),
): Columns {
  const sources = new Map(mapping);
  const used = new Set(sources.values());
  const take = (field: string, name: string): void => {
    if (used.has(name) || sources.has(field)) return;
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
  return { sources, ignored: names.filter((name) => !used.has(name)) };
}

const kindGuesses = ({ id, name, isDefault }: NamedKind): string[] => [
  ...[`balances.${id}`, id, name].map(plain).filter((one) => one !== ''),
  ...(isDefault ? DEFAULT_KIND_GUESSES : []),
];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');
