import type { Connection } from './connection.ts';
import { statement } from './statement.ts';
import { BEGIN } from './transaction.ts';

const lockedOf = statement<{ realmId: string }, [string[]]>(
  `SELECT wanted.realm_id AS "realmId" FROM unnest($1::text[]) AS wanted(realm_id)
   CROSS JOIN LATERAL (SELECT FROM realms WHERE realm_id = wanted.realm_id OFFSET 0) known
   LEFT JOIN LATERAL (SELECT true AS is_free FROM realms
     WHERE realm_id = wanted.realm_id FOR UPDATE SKIP LOCKED) free ON true
   WHERE is_free IS NULL`,
);

/** Which of the realms are locked by other transactions. */
export async function lockedRealms(connection: Connection, realmIds: string[]): Promise<string[]> {
  try {
    const [, rows] = await Promise.all([
      connection.run(BEGIN),
      connection.query(lockedOf, realmIds),
      connection.run('ROLLBACK'),
    ]);
    return rows.map(({ realmId }) => realmId);
  } catch (error) {
    connection.destroy(error as Error);
    throw error;
  }
}
