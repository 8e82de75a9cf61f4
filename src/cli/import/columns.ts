import type { PointKind } from '../../domain/model.ts';
import { UsageError } from '../command.ts';
import { counted } from '../progress.ts';

/** The fields of a member that a column may be, besides those with a name of their own. */
const FIELDS = [
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

/** Which column each field of a member is read from, and those that are not read. */
export interface Columns {
  readonly sources: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
}

/** Fields and columns as `--map` names them. */
type Mapping = ReadonlyMap<string, string>;

export function parseMapping(typed: readonly string[], kinds: readonly PointKind[]): Mapping {
  const mapping = new Map<string, string>();
  for (const text of typed) {
    const [, field = '', column = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (!FIELDS.includes(field) && !NAMED_FIELD.test(field)) {
      throw new UsageError(
        `--map ${text} must be <field>=<column>; fields are ${FIELDS.join(', ')}, ` +
          'balances.<kind>, accounts.<provider> and metadata.<name>.',
      );
    }
    const [, group, kind] = NAMED_FIELD.exec(field) ?? [];
    if (group === 'balances' && !kinds.some(({ id }) => id === kind)) {
      const ids = kinds.map(({ id }) => id).join(', ');
      throw new UsageError(`There is no kind of points "${kind}". The realm has ${ids}.`);
    }
    mapping.set(field, column);
  }
  return mapping;
}

/** Finds the columns of fields: as mapped, by the field's own name, or by a usual one. */
export class ColumnFinder {
  readonly #mapping: Mapping;
  readonly #guesses: [field: string, names: string[]][];

  constructor(mapping: Mapping, kinds: readonly PointKind[]) {
    this.#mapping = mapping;
    const byKind = kinds.map(({ id, isDefault }): [string, string[]] => [
      `balances.${id}`,
      [plain(id), ...(isDefault ? DEFAULT_KIND_GUESSES : [])],
    ]);
    this.#guesses = [...Object.entries(GUESSES), ...byKind];
  }

  find(names: readonly string[]): Columns {
    const sources = new Map(this.#mapping);
    const used = new Set(sources.values());
    const take = (field: string, name: string | undefined): void => {
      if (name === undefined || used.has(name) || sources.has(field)) return;
      sources.set(field, name);
      used.add(name);
    };
    for (const name of names) if (isField(name)) take(name, name);
    for (const [field, guesses] of this.#guesses) {
      const usual = [plain(field), ...guesses];
      for (const guess of usual)
        take(
          field,
          names.find((name) => plain(name) === guess),
        );
    }
    return { sources, ignored: names.filter((name) => !used.has(name)) };
  }

  /** The same for a file with a header, which must have the columns that are necessary. */
  findInHeader(names: readonly string[]): Columns {
    const all = `Its ${counted(names.length, 'column')}: ${names.join(', ')}.`;
    const missing = [...this.#mapping.values()].find((column) => !names.includes(column));
    if (missing !== undefined) throw new UsageError(`There is no column "${missing}". ${all}`);
    const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`Two columns are named "${twice}". ${all}`);
    const columns = this.find(names);
    if (columns.sources.has('id')) return columns;
    throw new UsageError(`Which column is the member's id? Name it with --map id=<column>. ${all}`);
  }
}

const isField = (name: string): boolean => FIELDS.includes(name) || NAMED_FIELD.test(name);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9.]/g, '');
