import type { DatabaseSync } from 'node:sqlite';
import type { Reader } from '../../../domain/queries.ts';
import {
  ALL_DAYS,
  applyDayChanges,
  type DailyTotals,
  type DayChanges,
} from '../../../domain/rules/daily-totals.ts';
import { realmTotalsView } from '../../../domain/rules/views.ts';
import { statementsOn, upsert } from '../rows.ts';

const COLUMNS = 'records, issued, spent, opened, held';
const ROW = `day, realm_point_id AS realmPointId, ${COLUMNS}`;

/** Adds what records changed to the totals of their days. */
export function dayUpdater(db: DatabaseSync): (realmNo: number, changes: DayChanges) => void {
  const find = statementsOn(db).all<DailyTotals, [number, number, string]>(
    `SELECT ${ROW} FROM daily_totals WHERE realm_no = ? AND day = ? AND realm_point_id = ?`,
  );
  const set = upsert(db, 'daily_totals', 'realm_no, day, realm_point_id', COLUMNS);
  return (realmNo, changes) => {
    const stored = [...changes.values()].flatMap(({ day, realmPointId }) =>
      find(realmNo, day, realmPointId),
    );
    for (const row of applyDayChanges(stored, changes)) {
      const { day, realmPointId, records, issued, spent, opened, held } = row;
      set.run(realmNo, day, realmPointId, records, issued, spent, opened, held);
    }
  };
}

interface RealmEnd {
  realm_no: number;
  seq: number;
  last_at: number;
}

export function dailyTotalsReader(db: DatabaseSync) {
  const sql = statementsOn(db);
  const realm = sql.get<RealmEnd, [string]>(
    `SELECT realm_no, r.seq, r.last_at FROM realms r JOIN projection_positions USING (realm_id)
     WHERE realm_id = ?`,
  );
  const kinds = sql.all<{ realmPointId: string; isDefault: number }, [string]>(
    `SELECT realm_point_id AS realmPointId, is_default AS isDefault FROM point_kinds
     WHERE realm_id = ? ORDER BY realm_point_id`,
  );
  const members = sql.value<number, [number, string]>(
    `SELECT coalesce(sum(count), 0) FROM rank_buckets WHERE leaderboard_no =
       (SELECT leaderboard_no FROM leaderboards WHERE realm_no = ? AND name = ?)`,
  );
  const days = sql.all<DailyTotals, [number, number, number]>(
    `SELECT ${ROW} FROM daily_totals WHERE realm_no = ? AND day BETWEEN ? AND ?
     ORDER BY day, realm_point_id`,
  );
  return {
    realmTotals: ({ realmId }) => {
      const found = realm(realmId);
      if (!found) return null;
      const { realm_no: no, seq, last_at: lastAt } = found;
      const all = kinds(realmId);
      const totals = days(no, ALL_DAYS, ALL_DAYS);
      // Everyone is on the all-time leaderboard of every kind.
      const kind = all.find(({ isDefault }) => isDefault === 1);
      const count = members(no, kind?.realmPointId ?? '') ?? 0;
      return realmTotalsView({ seq, lastAt }, count, all, totals);
    },
    dailyTotals: ({ realmId, from, to }) => {
      const found = realm(realmId);
      return found ? days(found.realm_no, from, to) : [];
    },
  } satisfies Partial<Reader>;
}
