import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InProcessLedger } from '../../src/engine/in-process-ledger.ts';
import { command, REALM } from '../domain/histories.ts';
import { newPostgresDatabase } from '../support/database.ts';

/** Refuses a stored answer that has to be erased: others would have seen it until then. */
const REFUSE = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'the answer was stored'; END $$;
  CREATE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries
    FOR EACH ROW EXECUTE FUNCTION refuse();`;

test('an answer about a member who is erased is never stored', async (t) => {
  const database = await newPostgresDatabase();
  const ledger = new InProcessLedger(await database.open());
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  await database.exec(REFUSE);
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  for (const memberId of ['1', '2']) {
    await ledger.execute(command('member.create', { memberId, fields: {}, wallets: [] }));
  }
  await ledger.execute(
    command('member.remove', { memberId: '1', forfeit: false, erase: true } as never),
  );
  const deliveries = [2, 3].map((seq) => ({
    webhookId: 'one',
    id: seq,
    seq,
    type: 'member.created',
    attempt: 1,
    at: 5,
    latencyMs: 3,
    status: 200,
    answer: `welcome, ${seq}`,
    error: null,
  }));
  const progress = { progressOf: 0, position: 3, attempts: 0, failingSince: null, nextAt: 0 };
  const reports = [{ realmId: REALM, webhookId: 'one', ...progress, deliveries }];
  await ledger.housekeeping.saveReports({ owner: 'me', reports });
  assert.deepEqual(await database.rows('SELECT answer FROM webhook_deliveries ORDER BY seq'), [
    { answer: null },
    { answer: 'welcome, 3' },
  ]);
});
