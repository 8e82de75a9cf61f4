import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Realms');

export const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** Each is a search in the journal. */
const MAX_BALANCES = 92;

const Day = Type.String({
  description: 'A day in UTC.',
  examples: ['2026-11-14'],
});

const daysUpTo = (maximum: number) =>
  s.integerInQuery(
    { minimum: 1, maximum, default: DEFAULT_DAYS },
    `How many days, 1 to ${maximum}.`,
  );

export const getRealmSummary = define({
  summary: 'Get what a realm adds up to',
  description:
    'Members, records and points of a realm, and how many records each of the last ' +
    `${DEFAULT_DAYS} days has, the current one last.`,
  answer: s.ok(
    Type.Object(
      {
        realmId: s.RealmId,
        members: Type.Integer({ description: 'Members that are not removed.' }),
        records: Type.Integer({ description: 'Records in the journal.' }),
        lastActivityAt: { ...s.Instant, description: 'When the last record was written.' },
        circulation: s.byKind('The points that all members have together, by kind.'),
        held: s.byKind('How much of them open holds set aside.'),
        activity: Type.Array(Type.Object({ day: Day, records: Type.Integer() })),
      },
      { title: 'RealmSummary' },
    ),
    {
      realmId: 'acme',
      members: 12480,
      records: 98211,
      lastActivityAt: '2026-11-14T09:30:00.000Z',
      circulation: { points: 1250000 },
      held: { points: 300 },
      activity: [{ day: '2026-11-14', records: 412 }],
    },
  ),
});

export const getActivity = define({
  summary: 'Get points issued and spent by day',
  description:
    'What happened to one kind of points on each of the last days in UTC, oldest first, the ' +
    'current one last. Transfers issue and spend nothing. A reversal is subtracted on its own ' +
    'day, so a day can be negative. Opening balances are not issued.',
  query: Type.Object(
    s.optional({
      realmPointId: s.RealmPointIdInQuery,
      days: daysUpTo(MAX_DAYS),
    }),
  ),
  answer: s.ok(
    Type.Object(
      {
        realmPointId: s.RealmPointId,
        days: Type.Array(
          Type.Object({
            day: Day,
            issued: Type.Integer({ description: 'Points added, less reversals.' }),
            spent: Type.Integer({
              description: 'Points subtracted and captured without a recipient, less reversals.',
            }),
            records: Type.Integer({ description: 'Records about this kind of points.' }),
          }),
        ),
      },
      { title: 'Activity' },
    ),
    {
      realmPointId: 'points',
      days: [{ day: '2026-11-14', issued: 1200, spent: 350, records: 57 }],
    },
  ),
  problems: ['realm-point-not-found'],
});

export const getBalanceHistory = define({
  summary: 'Get a member’s balances by day',
  description:
    'The member’s balances at the end of each of the last days in UTC, oldest first; those of ' +
    'the current day are as of now.',
  query: Type.Object(s.optional({ days: daysUpTo(MAX_BALANCES) })),
  answer: s.ok(
    Type.Object(
      {
        memberId: s.MemberId,
        days: Type.Array(
          Type.Object({
            day: Day,
            balances: s.byKind('The balance in every kind of points, including zeros.'),
          }),
        ),
      },
      { title: 'BalanceHistory' },
    ),
    { memberId: '42', days: [{ day: '2026-11-14', balances: { points: 1250 } }] },
  ),
  problems: ['member-not-found'],
});
