import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { create, credit } from '../support/commands.ts';
import { newPostgresDatabase } from '../support/database.ts';

/** How one process hears of the writes of another, before any poll. */
const database = await newPostgresDatabase();
const [one, two] = await Promise.all([1, 2].map(async () => await database.ledger()));
assert.ok(one && two);
after(async () => {
  await Promise.all([one.close(), two.close()]);
  await database.drop();
});

type Report = readonly string[] | null;

/** What a ledger reports from now on, each once it is asked for. */
function reports(ledger: Ledger): () => Promise<Report> {
  const target = new EventTarget();
  const received: Report[] = [];
  ledger.onWritten((realmIds) => {
    received.push(realmIds);
    target.dispatchEvent(new Event('report'));
  });
  return async () => {
    while (received.length === 0) await once(target, 'report');
    return received.shift() as Report;
  };
}

test('a write is reported here and there, by the realms that it concerns', async () => {
  const [here, there] = [reports(one), reports(two)];
  // Each has connected: from now on it hears of everything.
  assert.deepEqual([await here(), await there()], [null, null]);
  await one.execute(create('acme'));
  assert.deepEqual(await here(), ['acme']);
  assert.deepEqual(await there(), ['acme']);
  // Two that follow each other closely are sent together, and a refusal is none.
  await Promise.all([
    one.execute(create('other')),
    one.execute(credit('acme')),
    one.execute(credit('nowhere')),
  ]);
  const heard = new Set<string>();
  while (heard.size < 2) for (const realmId of (await there()) ?? []) heard.add(realmId);
  assert.deepEqual(heard, new Set(['acme', 'other']));
  // One does not hear its own notification: the next is of the other process.
  const own = new Set<string>();
  while (own.size < 2) for (const realmId of (await here()) ?? []) own.add(realmId);
  await two.execute(credit('acme'));
  assert.deepEqual(await here(), ['acme']);

  await test('a listener that was cut off connects again, and looks at everything', async () => {
    while ((await Promise.race([there(), Promise.resolve('none')])) !== 'none');
    await database.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'realmkeep listener'`,
    );
    assert.equal(await here(), null);
    await two.execute(credit('other'));
    assert.deepEqual(await here(), ['other']);
  });
});
