import type { Static } from 'typebox';
import type {
  Enrolment as EnrolmentModel,
  MemberFields,
  NewMember as NewMemberModel,
} from '../../domain/commands.ts';
import { type Address, PLAIN_FIELDS } from '../../domain/model.ts';
import { MAX_KINDS } from '../../domain/rules/realms.ts';
import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';
import { type createMember, NewMember, Status, type updateMember } from './members.ts';

const define = defineFor('Members');

/** All that a batch of members brings along is written at once. */
export const MAX_BATCH_ROWS = 5_000;

const OpeningBalances = Type.Unsafe<Record<string, number>>({
  type: 'object',
  propertyNames: { ...s.RealmPointId, fault: 'must have ids of kinds of points as its keys' },
  additionalProperties: s.integerIn(-s.MAX_TOKENS, s.MAX_TOKENS, 'An opening balance.'),
  maxProperties: MAX_KINDS,
  description:
    'What the member brings along, by kind of points. Recorded as `points.opened`: it counts ' +
    'in balances, but not as earned. Down to the `minimumBalance` of its kind; 0 is not recorded.',
  examples: [{ points: 1250 }],
  fault: `must be an object of at most ${MAX_KINDS} kinds of points with their balances`,
});

const Enrolment = Type.Object(
  {
    ...NewMember.properties,
    ...s.optional({
      balances: OpeningBalances,
      status: { ...Status, description: '"frozen" for one who is not to move points yet.' },
    }),
  },
  { fault: 'must be an object with the fields of a member' },
);

const Opened = Type.Object({
  realmPointId: s.RealmPointId,
  newBalance: s.Balance,
  transactionId: s.TransactionId,
});

const EnrolmentResult = Type.Object({
  memberId: s.nullable(s.MemberId),
  opened: Type.Optional(
    Type.Array(Opened, { description: 'The opening balances that were recorded.' }),
  ),
  wasPresent: Type.Optional(
    s.booleanIn('True if the member was enrolled before, and only its balances were opened.'),
  ),
  problem: s.EntryProblem,
});

export const createMembers = define({
  summary: 'Enrol many members',
  description:
    'Up to 1,000 members in one call, each as if enrolled after those before it. By default the ' +
    'call is atomic: if one member is refused, none is enrolled, and `errors[].pointer` names ' +
    'it. With `"atomic": false` members are independent, and each has its own result, in order. ' +
    '`balances` are opening balances, for members who come from another system. Members, ' +
    `accounts, wallets and balances may be ${MAX_BATCH_ROWS} in all.`,
  body: Type.Object({
    ...s.optional({
      description: s.Description,
      atomic: s.booleanIn('Whether all members are enrolled or none. Default true.'),
      opensPresent: s.booleanIn(
        'Whether members who are enrolled already are given `balances` of kinds of points that ' +
          'have never moved for them, and nothing else. Default false: they are refused.',
      ),
    }),
    members: s.batchOf(Enrolment, 'members'),
  }),
  example: {
    description: 'From the old bot',
    members: [
      { id: '80351110224678912', username: 'alice', balances: { points: 1250 } },
      { id: '175928847299117063', username: 'bob' },
    ],
  },
  answer: ok(Type.Object({ message: s.Ok, results: Type.Array(EnrolmentResult) }), {
    results: [
      {
        memberId: '80351110224678912',
        opened: [{ realmPointId: 'points', newBalance: 1250, transactionId: 982 }],
      },
      { memberId: '175928847299117063', opened: [] },
    ],
  }),
  problems: [
    'realm-point-not-found',
    'member-exists',
    'account-taken',
    'wallet-taken',
    'member-ids-exhausted',
    'realm-point-archived',
    'too-many-tokens',
    'insufficient-points',
    'balance-limit',
    'member-frozen',
  ],
});

/** Bodies as the commands that they become. They have been checked. */
type MemberSent = Static<typeof createMember.body>;
type EnrolmentSent = Static<typeof createMembers.body>['members'][number];
type FieldsSent = MemberSent | Static<typeof updateMember.body>;

type ParseAddress = (text: string) => Address;

export function enrolmentOf(sent: EnrolmentSent, parseAddress: ParseAddress): EnrolmentModel {
  const { balances = {}, status } = sent;
  return {
    ...newMemberOf(sent, parseAddress),
    balances: Object.entries(balances).map(([realmPointId, tokens]) => ({ realmPointId, tokens })),
    ...(status && { status }),
  };
}

export function newMemberOf(sent: MemberSent, parseAddress: ParseAddress): NewMemberModel {
  const { id, wallets = [] } = sent;
  return {
    memberId: id === undefined ? null : String(id),
    fields: memberFieldsOf(sent),
    wallets: wallets.map(parseAddress),
  };
}

/** Only those that were sent; unknown fields are ignored, not stored. */
export function memberFieldsOf(sent: FieldsSent): MemberFields {
  const { accounts, tags, metadata } = sent;
  const fields: MemberFields = {};
  for (const name of PLAIN_FIELDS) {
    const value = sent[name];
    if (value !== undefined) fields[name] = value;
  }
  if (accounts) fields.accounts = accounts.map(accountOf);
  if (tags) fields.tags = JSON.stringify([...new Set(tags)]);
  if (metadata) fields.metadata = JSON.stringify(metadata);
  return fields;
}

type AccountSent = NonNullable<MemberSent['accounts']>[number];

const accountOf = ({ provider, id, username = null }: AccountSent) => ({ provider, id, username });
