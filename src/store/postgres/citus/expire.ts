import type { Connection } from '../connection.ts';
import { statement } from '../statement.ts';

/** Rows can be locked on one server at a time only, so each call removes rows of one realm. */
export const expireOnCluster = (table: string, key: string, time: string, limit: number) => {
  const isOver = `realm_id = $1 AND ${time} < $2::bigint`;
  const sql = {
    realm: statement<{ realm_id: string }, [number]>(
      `SELECT realm_id FROM ${table} WHERE ${time} < $1::bigint LIMIT 1`,
    ),
    rows: statement<never, [string, number]>(
      `DELETE FROM ${table} WHERE realm_id = $1
         AND ${key} = ANY (ARRAY(SELECT ${key} FROM ${table} WHERE ${isOver} LIMIT ${limit}
       FOR UPDATE SKIP LOCKED))`,
    ),
  };
  return async (connection: Connection, before: number): Promise<number> => {
    const [found] = await connection.query(sql.realm, before);
    return found ? connection.change(sql.rows, found.realm_id, before) : 0;
  };
};
