/** Which columns of a file are which fields of a member. */

const FIELD_NAMES = [
  'id',
  'username',
  'displayName',
  'status',
  'accounts',
  'wallets',
  'metadata',
  'balances',
];
const NAMED_FIELD = /^(accounts|balances|metadata)\.(?!__proto__$)(.+)$/;

/** What other programs call these fields, in lower case without punctuation; the best first. */
const GUESSES: Record<string, string[]> = {
  id: ['memberid', 'userid', 'discordid', 'discorduserid', 'snowflake', 'uid'],
  username: ['user', 'handle', 'usertag', 'discordusername'],
  displayName: ['name', 'nickname', 'nick', 'globalname'],
  wallets: ['wallet', 'walletaddress', 'address', 'addresses'],
  'accounts.discord': ['discord', 'discordid', 'discorduserid'],
};
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
  const take = (field: string, name: string | undefined): void => {
    if (name === undefined || used.has(name) || sources.has(field)) return;
    sources.set(field, name);
    used.add(name);
  };
  for (const name of names) if (isField(name)) take(name, name);
  for (const [field, guesses] of [...Object.entries(GUESSES), ...kinds.map(kindGuesses)]) {
    for (const guess of [plain(field), ...guesses])
      take(
        field,
        names.find((name) => plain(name) === guess),
      );
  }
  return { sources, ignored: names.filter((name) => !used.has(name)) };
}

const kindGuesses = ({ id, name, isDefault }: NamedKind): [field: string, names: string[]] => [
  `balances.${id}`,
  [plain(id), plain(name), ...(isDefault ? DEFAULT_KIND_GUESSES : [])].filter((one) => one !== ''),
];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');
