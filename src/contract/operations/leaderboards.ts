import Type, { type Static } from 'typebox';
import type { Window } from '../../domain/rules/leaderboards.ts';
import { define } from '../operation.ts';
import * as s from '../schemas.ts';

const board = {
  realmPointId: Type.Optional(s.RealmPointId),
  window: Type.Optional(
    Type.Unsafe<Window>({
      type: 'string',
      enum: ['all', 'day', 'week', 'month'],
      default: 'all',
      description:
        'All time ranks by balance. Day, week (from Monday) and month (UTC) rank by points ' +
        'earned: what was added, less what was reversed. Transfers between members earn nothing.',
      fault: 'must be "all", "day", "week" or "month"',
    }),
  ),
};

const Standing = Type.Object({
  rank: s.nullable(Type.Integer({ description: 'Ties share a rank. Null: not on this board.' })),
  id: s.MemberId,
  username: s.nullable(Type.String()),
  displayName: s.nullable(Type.String()),
  balance: Type.Integer(),
  earned: s.nullable(Type.Integer({ description: 'Earned in the window; null for all time.' })),
});

const example: Static<typeof Standing> = {
  rank: 1,
  id: '42',
  username: 'alice',
  displayName: 'Alice',
  balance: 1250,
  earned: null,
};

export const getLeaderboard = define({
  tag: 'Leaderboards',
  summary: 'Get a leaderboard',
  description: 'Members by rank. A cursor goes on below the last row as the board stands then.',
  query: Type.Object({ ...s.PageQuery, ...board }),
  answer: {
    status: 200,
    schema: Type.Object({
      members: Type.Array(Standing),
      nextCursor: s.nullable(Type.String()),
      total: Type.Integer({ description: 'How many members are on the board.' }),
      asOf: s.Instant,
    }),
    example: { members: [example], nextCursor: null, total: 1, asOf: '2026-11-14T09:30:00.000Z' },
  },
  problems: ['realm-point-not-found'],
});

export const getStanding = define({
  tag: 'Leaderboards',
  summary: 'Get a member’s rank',
  description: 'Where one member stands.',
  query: Type.Object(board),
  answer: {
    status: 200,
    schema: Type.Object({ ...Standing.properties, total: Type.Integer(), asOf: s.Instant }),
    example: { ...example, total: 1, asOf: '2026-11-14T09:30:00.000Z' },
  },
  problems: ['member-not-found', 'realm-point-not-found'],
});
