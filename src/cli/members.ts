import { hash, randomUUID } from 'node:crypto';
import { OperatorError } from '../config/operator-error.ts';
import { integer } from '../config/parsers.ts';
import { memberBody } from '../contract/operations/members.ts';
import { operations } from '../contract/operations.ts';
import { ProblemError } from '../contract/problems.ts';
import type { MemberFilter, SearchPage } from '../domain/member-queries.ts';
import { type Member, PLAIN_FIELDS } from '../domain/model.ts';
import { InDoubt } from '../ledger/errors.ts';
import { Erasures } from '../ledger/realm-work.ts';
import { define, parseOption, UsageError } from './command.ts';
import { counted, details, grouped, Progress, table } from './terminal.ts';
import {
  asCli,
  checkArguments,
  execute,
  executeOnce,
  memberPages,
  requireRealm,
  withLedger,
} from './with-ledger.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100_000;

export const showMember = define({
  summary: 'Shows a member with its balances, accounts and wallets.',
  args: ['realm', 'member'],
  example: 'npx realmkeep member show acme 80351110224678912',
  async run({ args: { realm, member: memberId }, print }) {
    checkArguments(operations.getMember, { params: { realmID: realm, memberID: memberId } });
    const member = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      return ledger.query('member', { realmId: realm, memberId, now: Date.now() });
    });
    if (!member) throw new ProblemError('member-not-found', { memberId });
    const json = memberBody(member);
    print({ text: details(`Member ${memberId} of realm ${realm}`, rowsOf(json)), json });
  },
});

type Body = ReturnType<typeof memberBody>;

/** A row for each value of a list, with its name beside the first. */
const listed = (name: string, values: string[]): string[][] =>
  values.map((value, index) => [index === 0 ? name : '', value]);

/** `displayName` as "display name". */
const inWords = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const shownHeld = (held: number | bigint): string => (held > 0 ? ` (${grouped(held)} held)` : '');

const rowsOf = (member: Body): string[][] => [
  ...PLAIN_FIELDS.map((name) => [inWords(name), member[name] ?? 'none']),
  ['tags', member.tags.join(', ') || 'none'],
  ['status', member.status],
  ...listed(
    'balances',
    Object.entries(member.balances).map(
      ([kind, points]) => `${grouped(points)} ${kind}${shownHeld(member.held[kind] ?? 0)}`,
    ),
  ),
  ...listed(
    'accounts',
    member.accounts.map(({ provider, id, username }) =>
      username === null ? `${provider}:${id}` : `${provider}:${id} (${username})`,
    ),
  ),
  ...listed('wallets', member.wallets),
  ['metadata', JSON.stringify(member.metadata)],
  ['created', member.createdAt],
  ['changed', member.updatedAt],
];

export const listMembers = define({
  summary: 'Lists members of a realm.',
  args: ['realm'],
  options: {
    search: { value: '<words>', help: 'Only those whose names, id or wallets begin like this.' },
    account: { value: '<account>', help: 'Only the one with this account, as discord:<id>.' },
    status: { value: '<status>', help: 'Only those that are active, or frozen.' },
    limit: {
      value: '<n>',
      help: `The most members to list, up to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.`,
    },
  },
  example: 'npx realmkeep member list acme --search alice',
  async run({ args: { realm }, values, print }) {
    const { search, account, status, limit: typed = String(DEFAULT_LIMIT) } = values;
    if (search !== undefined && account !== undefined) {
      throw new UsageError('--search and --account exclude each other.');
    }
    const limit = parseOption('--limit', typed, integer(1, MAX_LIMIT));
    const query = { search, account, status };
    checkArguments(operations.listMembers, { params: { realmID: realm }, query });
    const filter: MemberFilter = {
      wallet: null,
      account: account ?? null,
      status: (status ?? null) as MemberFilter['status'],
    };
    const found = await withLedger(async (ledger) => {
      await requireRealm(ledger, realm);
      const pages =
        search === undefined
          ? memberPages<string>((page) =>
              ledger.query('members', { realmId: realm, filter, ...page }),
            )
          : memberPages<SearchPage['next']>((page) => {
              const found = { realmId: realm, search, status: filter.status };
              return ledger.query('searchMembers', { ...found, ...page });
            });
      return firstOf(pages, limit + 1);
    });
    const items = found.slice(0, limit).map(memberBody);
    const hasMore = found.length > limit;
    print({ text: listText(items, hasMore), json: { items, hasMore } });
  },
});

async function firstOf(pages: AsyncGenerator<Member[]>, count: number): Promise<Member[]> {
  const rows: Member[] = [];
  for await (const page of pages) {
    rows.push(...page);
    if (rows.length >= count) break;
  }
  return rows.slice(0, count);
}

function listText(members: Body[], hasMore: boolean): string {
  if (members.length === 0) return 'No member was found.';
  const rows = members.map(({ id, username, displayName, status, tokenBalance, createdAt }) => [
    id,
    username ?? '',
    displayName ?? '',
    status,
    grouped(tokenBalance),
    createdAt,
  ]);
  const head = ['ID', 'USERNAME', 'DISPLAY NAME', 'STATUS', 'BALANCE', 'CREATED'];
  const end = `\nThese are the first ${counted(members.length, 'member')}; --limit lists more.`;
  return `${table([head, ...rows], ['BALANCE'])}${hasMore ? end : ''}`;
}

export const eraseMember = define({
  summary: 'Removes a member and erases its personal data.',
  notes:
    'Erases names, accounts, wallets, metadata and descriptions from the records of the member,\n' +
    'also if it was removed before. Points and their movements stay, and the journal still\n' +
    'proves itself. This cannot be undone. Run "npx realmkeep vacuum" afterwards;\n' +
    'docs/erasure.md says why, and what to do about backups.',
  args: ['realm', 'member'],
  options: { forfeit: { help: 'Give up the remaining balances of the member.' } },
  example: 'npx realmkeep member erase acme 80351110224678912',
  async run({ args: { realm, member: memberId }, values, print }) {
    checkArguments(operations.removeMember, { params: { realmID: realm, memberID: memberId } });
    const { forfeit = false } = values;
    await withLedger(async (ledger) => {
      const removal = { memberId, forfeit, erase: true };
      await execute(ledger, { ...asCli(realm), type: 'member.remove', ...removal });
      using progress = new Progress();
      progress.show(`Erasing member ${memberId}`);
      await new Erasures(ledger).run(realm);
    });
    print({
      text:
        `Erased member ${memberId} of realm ${realm}. Run "npx realmkeep vacuum" to remove what ` +
        'is left of it in unused space of the database.',
      json: { realmId: realm, memberId },
    });
  },
});

export const addPoints = define({
  summary: 'Adds points to a member; a negative number subtracts.',
  notes:
    'The journal names "cli" as the actor. Running it twice adds the points twice, unless both\n' +
    'have the same --key. If the outcome is unknown, the message says which key to repeat it with.',
  args: ['realm', 'member', 'tokens'],
  options: {
    description: { value: '<text>', help: 'The reason, for the statement.' },
    kind: { value: '<id>', help: 'The kind of points. Default: the one of the realm.' },
    key: { value: '<text>', help: 'An idempotency key, as in the API: once for each key.' },
  },
  example: 'npx realmkeep points add acme 80351110224678912 50 --description "Quest reward"',
  async run({ args: { realm, member, tokens: typed }, values, print }) {
    const tokens = /^[+-]?\d+$/.test(typed) ? Number(typed) : Number.NaN;
    const { description, kind, key = `cli-${randomUUID()}` } = values;
    const body = { tokens, description, realmPointId: kind };
    const params = { realmID: realm, memberID: member };
    const headers = { 'idempotency-key': key };
    checkArguments(operations.changePoints, { params, body, headers });
    const entry = {
      memberId: member,
      tokens,
      description: description ?? null,
      // As in the API, an empty one means the default kind.
      realmPointId: kind || null,
    };
    const idempotency = { key, fingerprint: fingerprintOf(entry) };
    const command = { ...asCli(realm), type: 'points.change' as const, ...entry, idempotency };
    const { answer, replayed } = await withLedger((ledger) => executeOnce(ledger, command)).catch(
      (error) => {
        throw error instanceof InDoubt ? toRepeat(error, key) : error;
      },
    );
    const { newBalance, realmPointId, transactionId } = answer;
    const change =
      tokens > 0 ? `Added ${grouped(tokens)} to` : `Subtracted ${grouped(-tokens)} from`;
    const [when, then] = replayed ? ['An earlier run did this: ', 'was then'] : ['', 'is now'];
    print({
      text:
        `${when}${change} member ${member} of realm ${realm}. The balance in ${realmPointId} ` +
        `${then} ${grouped(newBalance)} (transaction ${transactionId}).`,
      json: { ...answer, replayed },
    });
  },
});

/** Another command under the same key is refused. */
const fingerprintOf = (entry: object): string =>
  hash('sha256', `points add ${JSON.stringify(entry)}`, 'base64url');

const toRepeat = ({ message }: InDoubt, key: string): OperatorError =>
  new OperatorError(
    'outcome-unknown',
    `The database failed during the write: ${message}. The points may have been added. Run it ` +
      `again with --key ${key}: then they are added once.`,
  );
