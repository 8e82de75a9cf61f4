import fastify from 'fastify';
import pg from 'pg';
import { generateKey } from '../../src/domain/key-text.ts';
import { memberIds, REALM } from '../community.ts';
import { databaseFor } from '../postgres.ts';
import { announce } from './announce.ts';
import { transferSchema } from './transfer-schema.ts';

/**
 * What one would write first: a route, a pool of connections, and for each request a transaction
 * that locks both members, checks, moves the points and notes it. Both members are locked in the
 * order of their ids, so that nobody waits in a circle. No idempotency, no hashes, no grouping.
 */
const CONNECTIONS = 20;
const BALANCE = 1_000_000_000;

interface Body {
  recipientId: string;
  tokens: number;
}

const pool = new pg.Pool({ connectionString: await databaseFor('usual'), max: CONNECTIONS });
await pool.query(`
  CREATE TABLE members (
    realm_id text NOT NULL, member_id bigint NOT NULL, balance bigint NOT NULL,
    PRIMARY KEY (realm_id, member_id)
  );
  CREATE TABLE transfers (
    id bigserial PRIMARY KEY, realm_id text NOT NULL, sender bigint NOT NULL,
    recipient bigint NOT NULL, tokens bigint NOT NULL, at timestamptz NOT NULL DEFAULT now()
  );
`);
await pool.query('INSERT INTO members SELECT $1, unnest($2::bigint[]), $3', [
  REALM,
  memberIds,
  BALANCE,
]);

const sql = {
  lock: `SELECT member_id, balance FROM members
    WHERE realm_id = $1 AND member_id IN ($2, $3) ORDER BY member_id FOR UPDATE`,
  move: `UPDATE members SET balance = balance + $3 WHERE realm_id = $1 AND member_id = $2
    RETURNING balance`,
  note: `INSERT INTO transfers (realm_id, sender, recipient, tokens) VALUES ($1, $2, $3, $4)
    RETURNING id`,
};

async function transfer(realmId: string, memberId: string, { recipientId, tokens }: Body) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query({
      name: 'lock',
      text: sql.lock,
      values: [realmId, memberId, recipientId],
    });
    const sender = rows.find((row) => row.member_id === memberId);
    if (rows.length < 2 || Number(sender?.balance) < tokens) throw new Error('refused');
    const move = async (id: string, by: number): Promise<number> => {
      const values = [realmId, id, by];
      const moved = await client.query({ name: 'move', text: sql.move, values });
      return Number(moved.rows[0].balance);
    };
    const senderBalance = await move(memberId, -tokens);
    const recipientBalance = await move(recipientId, tokens);
    const values = [realmId, memberId, recipientId, tokens];
    const noted = await client.query({ name: 'note', text: sql.note, values });
    await client.query('COMMIT');
    const transactionId = Number(noted.rows[0].id);
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

const app = fastify({ logger: false });
app.patch<{ Params: { realmID: string; memberID: string }; Body: Body }>(
  '/api/v4/realms/:realmID/members/:memberID/transfer',
  { schema: transferSchema },
  ({ params, body }) => transfer(params.realmID, params.memberID, body),
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
announce({ url, keys: { [REALM]: generateKey().key } });
