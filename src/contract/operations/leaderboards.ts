import { defineFor, ok } from '../operation.ts';
import { DEFAULT_PAGE, NextCursor, PageQuery } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

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

const at = s.optional({
  at: s.instantIn(
    'With `week` or `month`: an instant in it, also of a past one. Past ones stay as they were; ' +
      'of members who have left since, they have the id alone. `balance` is that of now.',
  ),
});

/** More than of other lists: older programs read a leaderboard in one call. */
const MAX_ROWS = 1_000;

const limit = s.optional({
  limit: s.integerInQuery(
    { minimum: 1, maximum: MAX_ROWS, default: DEFAULT_PAGE },
    `The most members, 1 to ${MAX_ROWS}. A page also ends at about 1 MiB.`,
  ),
});

const Standing = named('LeaderboardRow', {
  rank: s.nullable(s.integer('Ties share a rank. Null if not on this leaderboard.', 1)),
  id: s.MemberId,
  username: s.nullable(s.text('The member’s handle.', 'alice')),
  displayName: s.nullable(s.text('The display name.', 'Alice')),
  balance: s.Balance,
  earned: s.nullable(s.sum('Points earned in the window; null for `all`.', 1250)),
  tokens: s.sum('The points that the rank is by: `balance` for `all`, otherwise `earned`.', 1250),
  wallet: s.nullable(s.text('The address of the primary wallet.', s.WALLET)),
  last_updated: {
    ...s.Instant,
    description: 'When the member’s points of this kind last moved, or else its enrolment.',
  },
});

const whole = {
  total: s.integer('The number of members on the leaderboard.', 1),
  asOf: { ...s.Instant, description: 'Now, or when a past week or month ended.' },
};

export const getLeaderboard = define({
  summary: 'Get a leaderboard',
  description: 'Members by rank. A cursor continues below its last row on the current leaderboard.',
  query: Type.Object({ ...PageQuery, ...limit, ...board, ...at }),
  answer: ok(
    named('Leaderboard', { members: Type.Array(Standing), nextCursor: NextCursor, ...whole }),
  ),
});

export const getStanding = define({
  summary: 'Get a member’s rank',
  description: 'The rank of one member.',
  query: Type.Object(board),
  answer: ok(named('MemberRank', { ...Standing.properties, ...whole })),
});
