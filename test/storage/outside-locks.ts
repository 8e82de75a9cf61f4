import type { TestContext } from 'node:test';
import pg from 'pg';

/** Locks realms from outside, like another process; returns how to unlock them. */
export async function lockRealms(
  t: TestContext,
  databaseUrl: string,
  ...realmIds: string[]
): Promise<() => Promise<unknown>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  t.after(() => client.end());
  await client.query('BEGIN');
  await client.query('SELECT FROM realms WHERE realm_id = ANY($1) FOR UPDATE', [realmIds]);
  return () => client.query('ROLLBACK');
}
