import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Connection } from '../../src/store/postgres/connection.ts';
import { command, REALM } from '../domain/histories.ts';
import { clusterOf } from '../support/cluster.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

/** What a receiver answers while the member that it was told about is erased. */
async function opened(t: TestContext) {
  const database = await newPostgresDatabase();
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  const webhook = { newWebhook: { id: 'one', secret: 'one.sealed' }, target: 'allowed' } as const;
  const fields = { url: 'https://bot.example/', types: [], description: null };
  for (const memberId of ['1', '2']) {
    await ledger.execute(command('member.create', { memberId, fields: {}, wallets: [] }));
  }
  await ledger.execute(command('webhook.create', { ...webhook, ...fields }));
  const erase = async () => {
    const removal = { memberId: '1', forfeit: false, erase: true };
    await ledger.execute(command('member.remove', removal));
    while (await ledger.housekeeping.erasePersonalParts(REALM));
  };
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
  const save = () => ledger.housekeeping.saveReports({ owner: 'me', reports });
  const answers = async () =>
    (await database.rows('SELECT answer FROM webhook_deliveries ORDER BY seq')).map(
      ({ answer }) => answer,
    );
  return { database, erase, save, answers };
}

const WAITING = `SELECT FROM pg_locks JOIN pg_database ON database = pg_database.oid
  WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

/** Sessions that wait for a transaction to end, as for the lock of a row. */
const BLOCKED = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE datname = current_database() AND locktype = 'transactionid' AND NOT granted`;

/** Does something when deliveries are committed. */
const onCommit = (what: string): string => `
  CREATE FUNCTION on_commit() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN ${what}; RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER on_commit AFTER INSERT ON webhook_deliveries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION on_commit();`;

test('an answer about an erased member is not committed', async (t) => {
  const { database, erase, save, answers } = await opened(t);
  if (await clusterOf(database.url)) return t.skip('Citus has no such triggers');
  await database.exec(
    onCommit(`IF EXISTS (SELECT FROM webhook_deliveries WHERE answer = 'welcome, 2')
      THEN RAISE 'the answer was committed'; END IF`),
  );
  await erase();
  await save();
  assert.deepEqual(await answers(), [null, 'welcome, 3']);
});

test('an erasure waits for answers that are being committed', async (t) => {
  const { database, erase, save, answers } = await opened(t);
  if (await clusterOf(database.url)) return t.skip('Citus has no such triggers');
  await database.exec(onCommit('PERFORM pg_advisory_xact_lock(1)'));
  const holder = await Connection.open({ url: database.url, purpose: 'test' });
  t.after(() => holder.close());
  await holder.run('SELECT pg_advisory_lock(1)');
  const saving = save();
  await eventually(
    () => database.rows(WAITING),
    (waiting) => waiting.length > 0,
  );
  const erased = erase();
  await eventually(
    () => database.rows(BLOCKED),
    (blocked) => blocked.length > 0,
  );
  await holder.run('SELECT pg_advisory_unlock(1)');
  await Promise.all([saving, erased]);
  assert.deepEqual(await answers(), [null, 'welcome, 3']);
});
