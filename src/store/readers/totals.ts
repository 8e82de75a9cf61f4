import type { ActiveDay, DailyTotals, Sums } from '../../domain/rules/daily-totals.ts';
import { WIDE } from '../../domain/rules/leaderboards.ts';
import { type Kind, realmTotalsView } from '../../domain/rules/views.ts';
import { selectRows } from '../rows.ts';
import { all, ask, query, together } from '../statement.ts';
import { tables } from '../tables.ts';
import type { Readers } from './readers.ts';

type InRealm = { realmId: string };
type Days = InRealm & { from: number; to: number };

const find = {
  realm: query<{ seq: number; lastAt: number }, InRealm>(
    `SELECT seq, last_at AS "lastAt" FROM realms
     WHERE realm_id = :realmId AND deleted_at IS NULL`,
  ),
  kinds: query<Kind, InRealm>(
    `SELECT realm_point_id AS "realmPointId", is_default AS "isDefault" FROM point_kinds
     WHERE realm_id = :realmId ORDER BY realm_point_id`,
  ),
  // Everybody is on the all-time leaderboard of every kind, so that of one counts the members.
  members: query<{ count: number }, InRealm>(
    `SELECT CAST(coalesce(sum(count), 0) AS bigint) AS count FROM rank_buckets
     WHERE realm_id = :realmId AND width = ${WIDE} AND leaderboard =
       (SELECT realm_point_id FROM point_kinds WHERE realm_id = :realmId AND is_default = 1)`,
  ),
  sums: query<Sums & { realmPointId: string }, InRealm>(
    ({ total }) =>
      `SELECT realm_point_id AS "realmPointId", ${total('issued')} AS issued,
         ${total('spent')} AS spent, ${total('opened')} AS opened, ${total('held')} AS held
       FROM daily_totals WHERE realm_id = :realmId GROUP BY realm_point_id`,
  ),
  // Who had not been active since the first day, or in the week, counts there as one more.
  activeDays: query<ActiveDay, Days>(() => {
    // PostgreSQL adds integers much faster than what is larger.
    const those = (condition: string): string =>
      `sum(CASE WHEN ${condition} THEN CAST(member_count AS integer) ELSE 0 END)`;
    return `SELECT day, ${those('TRUE')} AS "activeMembers",
        ${those('previous < :from')} AS "ofPeriod", ${those('previous < 0')} AS "newMembers",
        ${those('previous BETWEEN 0 AND day - (day + 3) % 7 - 1')} AS "returningMembers"
      FROM active_members WHERE realm_id = :realmId AND day BETWEEN :from AND :to GROUP BY day`;
  }),
  days: selectRows<DailyTotals, Days>(
    tables.days,
    `WHERE realm_id = :realmId AND day BETWEEN :from AND :to ORDER BY day, realm_point_id`,
  ),
};

/** Answers the queries about what a realm adds up to. */
export const totalsReaders = {
  *realmTotals({ realmId }) {
    const [[realm], kinds, [members], sums] = yield* together(
      ask(find.realm, { realmId }),
      ask(find.kinds, { realmId }),
      ask(find.members, { realmId }),
      ask(find.sums, { realmId }),
    );
    return realm ? realmTotalsView(realm, members?.count ?? 0, kinds, sums) : null;
  },
  activeDays: (params) => all(find.activeDays, params),
  dailyTotals: ({ realmId, from, to }) => all(find.days, { realmId, from, to }),
} satisfies Partial<Readers>;
