import { defineFor, ok } from '../operation.ts';
import { NextCursor, PageQuery } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';
import { Member, Status } from './members.ts';

const define = defineFor('Members');

const ID = '[1-9][0-9]{0,18}';
const MAX_IDS = 100;
export const IDS_FAULT = `must be 1 to ${MAX_IDS} member ids, separated by commas`;
const MAX_TAGS = 20;

const instantOf = (what: string) => s.instantIn(`Only members ${what}.`);
const balanceOf = (what: string) =>
  s.integerInQuery(
    { minimum: -s.MAX_TOKENS, maximum: s.MAX_TOKENS },
    `Only members with ${what} points of \`realmPointId\`.`,
  );

const filters = s.optional({
  search: s.textIn(
    128,
    'Beginnings of words of the username and display name, ignoring case and accents: ' +
      '`jo smi` finds John Smith. One word also finds the ids that begin with it and, from ' +
      'four characters on, the wallets.',
  ),
  ids: Type.String({
    pattern: `^${ID}(,${ID}){0,${MAX_IDS - 1}}$`,
    description: `Only these members: up to ${MAX_IDS} ids, separated by commas.`,
    examples: ['42,80351110224678912'],
    fault: IDS_FAULT,
  }),
  wallet: s.addressIn('A wallet address.', { fault: 'must be one wallet address' }),
  account: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,31}:[\\x21-\\x7e]{1,128}$',
    description: 'An account: provider and id, separated by a colon.',
    examples: ['discord:80351110224678912'],
    fault: 'must be a provider and an id, such as "discord:80351110224678912"',
  }),
  status: { ...Status, description: 'Only members with this status.' },
  tags: Type.String({
    pattern: `^[^,\\0]{1,32}(,[^,\\0]{1,32}){0,${MAX_TAGS - 1}}$`,
    description: `Only members with all of these tags, separated by commas; up to ${MAX_TAGS}.`,
    examples: ['vip,helper'],
    fault: `must be 1 to ${MAX_TAGS} tags, separated by commas`,
  }),
  hasWallet: s.choiceOf(['true', 'false'], {
    description: 'Only members with a wallet, or only those without one.',
  }),
  minimumBalance: balanceOf('at least so many'),
  maximumBalance: balanceOf('at most so many'),
  createdFrom: instantOf('who were enrolled at this instant or later'),
  createdTo: instantOf('who were enrolled before this instant'),
  activeFrom: instantOf('whose `lastActiveAt` is at this instant or later'),
  activeTo: instantOf('whose `lastActiveAt` is before this instant'),
  sort: s.choiceOf(['id', 'name', '-balance', '-createdAt'], {
    default: 'id',
    description:
      '`name` is by the display name or else the username, `-balance` begins with the ' +
      'highest balance, `-createdAt` with the newest.',
  }),
  realmPointId: {
    ...s.RealmPointIdInQuery,
    description: 'The kind of points of the balances; the default kind if absent.',
  },
});

export const listMembers = define({
  summary: 'Find members',
  description:
    'Members, ordered by id; in a search those found by id, by wallet and by word, each in ' +
    'order. Filters are combined; `ids` stand alone, and `sort`, which walks an order that ' +
    'changes while writes go on, goes with neither `search`, `wallet` nor `account`, by `name` ' +
    'with no filter. A cursor contains its filters: pass it alone, or with the same filters. A ' +
    'page may have fewer members than `limit`, even none, as it looks at a limited number to ' +
    'find them: the last page has no `nextCursor`. One tag, balances with `sort=-balance` and ' +
    '`createdFrom` with `sort=-createdAt` look only at those in question.',
  query: Type.Object({
    ...PageQuery,
    ...filters,
    count: Type.Optional(
      s.choiceOf(['true', 'false'], {
        default: 'false',
        description:
          'Also count the members of the list, as far as one look at 15,000 goes; not in a search.',
      }),
    ),
  }),
  answer: ok(
    named('MemberList', {
      items: Type.Array(Member),
      nextCursor: NextCursor,
      count: Type.Optional(
        Type.Object({
          members: s.integer('How many members were counted.', 27),
          isComplete: s.flag('False if there may be more of them.', true),
        }),
      ),
    }),
  ),
});
