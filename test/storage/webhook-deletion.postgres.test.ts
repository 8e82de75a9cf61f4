import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { command, REALM } from '../domain/histories.ts';
import { answerOf } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'realmkeep writer' AND wait_event_type = 'Lock'`;

test('a webhook is deleted although its lease is renewed at that moment', async (t) => {
  const database = await newPostgresDatabase();
  const ledger = await database.ledger();
  const other = new pg.Client(database.url);
  await other.connect();
  t.after(async () => {
    await Promise.all([other.end(), ledger.close()]);
    await database.drop();
  });
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  const newWebhook = { id: 'one', secret: 'one.sealed' };
  const fields = { url: 'https://bot.example/', types: [], description: null };
  await ledger.execute(
    command('webhook.create', { newWebhook, ...fields, target: 'allowed' as const }),
  );
  await other.query('BEGIN');
  await other.query('UPDATE webhooks SET lease_until = 1');
  const deletion = ledger.execute(command('webhook.delete', { webhookId: 'one' }));
  await eventually(
    () => database.rows(WAITING),
    ({ length }) => length > 0,
  );
  await other.query('COMMIT');
  answerOf(await deletion);
  assert.deepEqual(await ledger.query('webhooks', { realmId: REALM }), []);
});
