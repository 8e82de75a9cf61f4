import type { QueryParams } from '../../../domain/queries.ts';
import {
  ALL_DAYS,
  applyDayChanges,
  type DailyTotals,
  type DayChanges,
} from '../../../domain/rules/daily-totals.ts';
import { realmTotalsView } from '../../../domain/rules/views.ts';
import type { Connection } from '../connection.ts';
import { columns, insertRows, statement } from '../statement.ts';

const COLUMNS = 'day, realm_point_id, records, issued, spent, opened, held';
const ROW = 'day, realm_point_id AS "realmPointId", records, issued, spent, opened, held';

const sql = {
  stored: statement<DailyTotals, [string, number[], string[]]>(
    `SELECT t.* FROM unnest($2::bigint[], $3::text[]) AS wanted(day, kind) CROSS JOIN LATERAL
       (SELECT ${ROW} FROM daily_totals WHERE realm_id = $1
          AND day = wanted.day AND realm_point_id = wanted.kind OFFSET 0) t`,
  ),
  set: insertRows<[string, number[], string[], number[], ...string[][]]>(
    `daily_totals (realm_id, ${COLUMNS})`,
    'new.*',
    `unnest($2::bigint[], $3::text[], $4::bigint[],
       $5::text[], $6::text[], $7::text[], $8::text[]) new`,
    ` ON CONFLICT (realm_id, day, realm_point_id) DO UPDATE SET records = excluded.records,
       issued = excluded.issued, spent = excluded.spent, opened = excluded.opened,
       held = excluded.held`,
  ),
  days: statement<DailyTotals, [string, number, number]>(
    `SELECT ${ROW} FROM daily_totals
     WHERE realm_id = $1 AND day BETWEEN $2::bigint AND $3::bigint
     ORDER BY day, realm_point_id`,
  ),
  realm: statement<{ seq: number; lastAt: number }, [string]>(
    'SELECT seq, last_at AS "lastAt" FROM realms WHERE realm_id = $1 AND deleted_at IS NULL',
  ),
  kinds: statement<{ realmPointId: string; isDefault: number }, [string]>(
    `SELECT realm_point_id AS "realmPointId", is_default AS "isDefault" FROM point_kinds
     WHERE realm_id = $1 ORDER BY realm_point_id`,
  ),
  members: statement<{ count: number }, [string]>(
    `SELECT coalesce(sum(count), 0)::bigint AS count FROM rank_buckets
     WHERE realm_id = $1 AND leaderboard = (SELECT realm_point_id FROM point_kinds
       WHERE realm_id = $1 AND is_default = 1 LIMIT 1)`,
  ),
};

/** Adds what records changed to the totals of their days. */
export async function updateDays(
  connection: Connection,
  realmId: string,
  changes: DayChanges,
): Promise<void> {
  if (changes.size === 0) return;
  const keys = columns([...changes.values()], 'day', 'realmPointId');
  const rows = applyDayChanges(await connection.query(sql.stored, realmId, ...keys), changes);
  const [days, kinds, records] = columns(rows, 'day', 'realmPointId', 'records');
  const amounts = columns(rows, 'issued', 'spent', 'opened', 'held');
  connection.send(sql.set, realmId, days, kinds, records, ...amounts);
}

export async function realmTotals(connection: Connection, { realmId }: QueryParams<'realmTotals'>) {
  // Everyone is on the all-time leaderboard of every kind, so that of one counts the members.
  const [[realm], kinds, [members], totals] = await Promise.all([
    connection.query(sql.realm, realmId),
    connection.query(sql.kinds, realmId),
    connection.query(sql.members, realmId),
    connection.query(sql.days, realmId, ALL_DAYS, ALL_DAYS),
  ]);
  return realm ? realmTotalsView(realm, members?.count ?? 0, kinds, totals) : null;
}

export const dailyTotals = (
  connection: Connection,
  { realmId, from, to }: QueryParams<'dailyTotals'>,
): Promise<DailyTotals[]> => connection.query(sql.days, realmId, from, to);
