import pg from 'pg';
import { generateKey } from '../../src/domain/key-format.ts';
import { memberIds, REALM } from '../community.ts';
import { databaseFor } from '../postgres.ts';
import { announce } from './announce.ts';
import { emptyFastify, transferSchema } from './transfer-schema.ts';

const CONNECTIONS = 20;
const BALANCE = 1_000_000_000;

interface Body {
  recipientId: string;
  tokens: number;
}

const tables = `
  CREATE TABLE members (
    realm_id text NOT NULL, member_id bigint NOT NULL, balance bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id)
  );
  CREATE TABLE transfers (
    id bigserial PRIMARY KEY, realm_id text NOT NULL, sender bigint NOT NULL,
    recipient bigint NOT NULL, tokens bigint NOT NULL, at timestamptz NOT NULL DEFAULT now()
  );
`;

const sql = {
  lock: `SELECT member_id, balance FROM members
    WHERE realm_id = $1 AND member_id IN ($2, $3) ORDER BY member_id FOR UPDATE`,
  move: `UPDATE members SET balance = balance + $3 WHERE realm_id = $1 AND member_id = $2
    RETURNING balance`,
  record: `INSERT INTO transfers (realm_id, sender, recipient, tokens) VALUES ($1, $2, $3, $4)
    RETURNING id`,
};

/** Sends a query as text, or with a name that has it prepared. */
type Query = (
  client: pg.PoolClient,
  which: keyof typeof sql,
  values: unknown[],
) => Promise<pg.QueryResult>;

const unprepared: Query = (client, which, values) => client.query(sql[which], values);
const prepared: Query = (client, which, values) =>
  client.query({ name: which, text: sql[which], values });

async function transfer(
  pool: pg.Pool,
  query: Query,
  realmId: string,
  memberId: string,
  body: Body,
) {
  const { recipientId, tokens } = body;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await query(client, 'lock', [realmId, memberId, recipientId]);
    const sender = rows.find((row) => row.member_id === memberId);
    if (rows.length < 2 || Number(sender?.balance) < tokens) throw new Error('refused');
    const move = async (id: string, by: number): Promise<number> => {
      const moved = await query(client, 'move', [realmId, id, by]);
      return Number(moved.rows[0].balance);
    };
    const senderBalance = await move(memberId, -tokens);
    const recipientBalance = await move(recipientId, tokens);
    const recorded = await query(client, 'record', [realmId, memberId, recipientId, tokens]);
    await client.query('COMMIT');
    const transactionId = Number(recorded.rows[0].id);
    const balances = { senderBalance, recipientBalance };
    const moved = { memberId, recipientId, tokens, ...balances };
    return { message: 'Ok', transactionId, ...moved, realmPointId: 'points' };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/**
 * The obvious implementation: a route, a connection pool, and for each request a transaction that
 * locks both members, checks, moves the points and records the transfer. The members are locked in
 * the order of their ids, which avoids deadlocks. No idempotency, no hashes, no batching.
 */
export async function serveUsualWay({ isPrepared }: { isPrepared: boolean }): Promise<void> {
  const database = await databaseFor(isPrepared ? 'usual_prepared' : 'usual');
  const pool = new pg.Pool({ connectionString: database, max: CONNECTIONS });
  await pool.query(tables);
  const enrol = 'INSERT INTO members SELECT $1, unnest($2::bigint[]), $3';
  await pool.query(enrol, [REALM, memberIds, BALANCE]);
  const query = isPrepared ? prepared : unprepared;
  const app = emptyFastify();
  app.patch<{ Params: { realmID: string; memberID: string }; Body: Body }>(
    '/api/v4/realms/:realmID/members/:memberID/transfer',
    { schema: transferSchema },
    ({ params, body }) => transfer(pool, query, params.realmID, params.memberID, body),
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  announce({ url, keys: { [REALM]: generateKey().key } });
}
