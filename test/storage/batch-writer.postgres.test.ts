import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Command } from '../../src/domain/commands.ts';
import { type Decision, decide } from '../../src/domain/rules/decide.ts';
import { needsOf } from '../../src/domain/rules/needs.ts';
import { Unavailable } from '../../src/ledger/errors.ts';
import { InProcessLedger } from '../../src/ledger/in-process-ledger.ts';
import type { DatabaseEvents } from '../../src/store/postgres/database.ts';
import { answerOf, create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { fixedSalts } from '../support/salts.ts';
import { verdictOf } from '../support/verdict.ts';
import { CuttingProxy } from './cutting-proxy.ts';

/** Trouble of one batch, realm or connection does not spread to others. */
const database = await newPostgresDatabase();
after(() => database.drop());

async function proxyOf(t: TestContext): Promise<CuttingProxy> {
  const proxy = await CuttingProxy.start(database.url);
  t.after(() => proxy.stop());
  return proxy;
}

async function ledgerOn(
  t: TestContext,
  url: string,
  events: DatabaseEvents = {},
  onUnavailable: (cause: Unavailable) => void = () => undefined,
): Promise<InProcessLedger> {
  const store = await openPostgresStore(url, { events });
  store.availability?.onChange((cause) => cause && onUnavailable(cause));
  const ledger = new InProcessLedger(store);
  t.after(() => ledger.close());
  return ledger;
}

test('a batch that always loses its connection is given up after some attempts', async (t) => {
  const proxy = await proxyOf(t);
  const ledger = await ledgerOn(t, proxy.url);
  answerOf(await ledger.execute(create('cut-again')));
  proxy.poison = 'poison';
  await assert.rejects(ledger.execute(credit('cut-again', 'poison')), Unavailable);
  assert.ok(proxy.cuts > 1 && proxy.cuts <= 10, `cut ${proxy.cuts} times`);
  assert.equal(answerOf(await ledger.execute(credit('cut-again', 'harmless'))).newBalance, 1);
});

test('a fault while writes are prepared leaves no transaction open', async (t) => {
  const store = await openPostgresStore(database.url);
  t.after(() => store.close());
  const run = async (command: Command, spoil: (decision: Decision) => void = () => undefined) =>
    store.writer.write({
      needs: needsOf([command]),
      clock: Date.now,
      decide: (facts, now) => {
        const decision = decide(facts, [command], now, fixedSalts);
        spoil(decision);
        return decision;
      },
    }).done;
  await run(create('faulty'));
  await run(credit('faulty'));
  const spoiling = run(credit('faulty'), ({ changes }) => {
    const row = changes[0]?.balances[0]?.row;
    assert.ok(row);
    const get = () => {
      throw new RangeError('made up');
    };
    Object.defineProperty(row, 'balance', { get });
  });
  await assert.rejects(spoiling, /made up/);
  const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'realmkeep writer' AND state LIKE 'idle in transaction%'`;
  assert.deepEqual(await database.rows(open), []);
  const { outcomes } = await run(credit('faulty'));
  assert.equal(answerOf(outcomes[0] ?? { fault: 'none' }).newBalance, 2);
  const { rows } = await store.reader.records({ realmId: 'faulty', after: 0, limit: 9 });
  assert.equal(rows.length, 4);
  assert.equal((await verdictOf(new InProcessLedger(store), 'faulty'))?.ok, true);
});

test('a database without a free connection is not unavailable', async (t) => {
  const proxy = await proxyOf(t);
  const outages: string[] = [];
  const refused: string[] = [];
  const events = { onRefused: ({ message }: Error) => refused.push(message) };
  const ledger = await ledgerOn(t, proxy.url, events, ({ message }) => outages.push(message));
  // One connection writes and one reads; none is left for housekeeping.
  proxy.maxConnections = 2;
  answerOf(await ledger.execute(create('pooled')));
  assert.equal((await ledger.query('realm', { realmId: 'pooled' }))?.id, 'pooled');
  assert.equal(proxy.connections, 2);
  let isOver = false;
  const asked = Promise.resolve(ledger.housekeeping.expireAnswers(0)).finally(() => {
    isOver = true;
  });
  const refusal = assert.rejects(asked, Unavailable);
  do answerOf(await ledger.execute(credit('pooled')));
  while (!isOver);
  await refusal;
  assert.deepEqual(outages, []);
  assert.deepEqual(refused, ['timeout expired'], 'it is reported once');
});
