import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Realms');

export const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** Each is a search in the journal. */
const MAX_BALANCES = 92;

const Day = s.text('A day in UTC.', '2026-11-14');

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
  answer: ok(
    named('RealmSummary', {
      realmId: s.RealmId,
      members: s.integer('Members that are not removed.', 12480),
      records: s.integer('Records in the journal.', 98211),
      lastActivityAt: { ...s.Instant, description: 'When the last record was written.' },
      circulation: s.sumsByKind('The points that all members have together, by kind.', {
        points: 1250000,
      }),
      held: s.sumsByKind('How much of them open holds set aside.', { points: 300 }),
      activity: Type.Array(
        Type.Object({ day: Day, records: s.integer('Records of the day.', 412) }),
      ),
    }),
  ),
});

export const getActivity = define({
  summary: 'Get points and active members by day',
  description:
    'What happened to members and one kind of points on each of the last days in UTC, oldest ' +
    'first, the current one last. Transfers issue and spend nothing. A reversal is subtracted ' +
    'on its own day, so a day can be negative. Opening balances are not issued. A member is ' +
    'active by earning, spending, giving or getting points.',
  query: Type.Object(
    s.optional({
      realmPointId: s.RealmPointIdInQuery,
      days: daysUpTo(MAX_DAYS),
      to: s.instantIn('In the last of the days; today if absent.'),
    }),
  ),
  answer: ok(
    named('Activity', {
      realmPointId: s.RealmPointId,
      activeMembers: s.integer('Members who were active in these days, each once.', 940),
      days: Type.Array(
        Type.Object({
          day: Day,
          issued: s.sum('Points added, less reversals.', 1200),
          spent: s.sum('Points subtracted and captured without a recipient, less reversals.', 350),
          records: s.integer('Records about this kind of points.', 57),
          circulation: s.sum('The points of all members at the end of the day.', 1250000),
          members: s.integer('Members at the end of the day.', 12480),
          activeMembers: s.integer('Members who were active.', 410),
          newMembers: s.integer('Those of them who were so for the first time.', 12),
          returningMembers: s.integer('So in an earlier week, and not yet in this one.', 96),
        }),
      ),
    }),
  ),
});

export const getBalanceHistory = define({
  summary: 'Get a member’s balances by day',
  description:
    'The member’s balances at the end of each of the last days in UTC, oldest first; those of ' +
    'the current day are as of now.',
  query: Type.Object(s.optional({ days: daysUpTo(MAX_BALANCES) })),
  answer: ok(
    named('BalanceHistory', {
      memberId: s.MemberId,
      days: Type.Array(Type.Object({ day: Day, balances: s.Balances })),
    }),
  ),
});
