import type { Static } from 'typebox';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Leaderboards');

const board = s.optional({
  realmPointId: s.RealmPointIdInQuery,
  window: s.choiceOf(['all', 'day', 'week', 'month'], {
    default: 'all',
    description:
      '`all` ranks by balance. `day`, `week` (from Monday) and `month` (UTC) rank by points ' +
      'earned: points added minus points reversed. Transfers between members do not count.',
  }),
});

const Standing = Type.Object(
  {
    rank: s.nullable(
      Type.Integer({ description: 'Ties share a rank. Null if not on this leaderboard.' }),
    ),
    id: s.MemberId,
    username: s.nullable(Type.String()),
    displayName: s.nullable(Type.String()),
    balance: Type.Integer(),
    earned: s.nullable(
      Type.Integer({ description: 'Points earned in the window; null for `all`.' }),
    ),
    tokens: Type.Integer({
      description: 'The points that the rank is by: `balance` for `all`, otherwise `earned`.',
    }),
    wallet: s.nullable(Type.String({ description: 'The address of the primary wallet.' })),
    last_updated: {
      ...s.Instant,
      description: 'When the member’s points of this kind last moved, or else its enrolment.',
    },
  },
  { title: 'LeaderboardRow' },
);

const example: Static<typeof Standing> = {
  rank: 1,
  id: '42',
  username: 'alice',
  displayName: 'Alice',
  balance: 1250,
  earned: null,
  tokens: 1250,
  wallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  last_updated: '2026-11-14T09:30:00.000Z',
};

export const getLeaderboard = define({
  summary: 'Get a leaderboard',
  description: 'Members by rank. A cursor continues below its last row on the current leaderboard.',
  query: Type.Object({ ...s.PageQuery, ...board }),
  answer: s.ok(
    Type.Object(
      {
        members: Type.Array(Standing),
        nextCursor: s.nullable(Type.String()),
        total: Type.Integer({ description: 'The number of members on the leaderboard.' }),
        asOf: s.Instant,
      },
      { title: 'Leaderboard' },
    ),
    { members: [example], nextCursor: null, total: 1, asOf: '2026-11-14T09:30:00.000Z' },
  ),
  problems: ['realm-point-not-found'],
});

export const getStanding = define({
  summary: 'Get a member’s rank',
  description: 'The rank of one member.',
  query: Type.Object(board),
  answer: s.ok(
    Type.Object(
      { ...Standing.properties, total: Type.Integer(), asOf: s.Instant },
      { title: 'MemberRank' },
    ),
    { ...example, total: 1, asOf: '2026-11-14T09:30:00.000Z' },
  ),
  problems: ['member-not-found', 'realm-point-not-found'],
});
