import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppKeys, Lease } from '../../src/discord/discord.ts';
import { announcedOf, saveAnnounced } from '../../src/ledger/discord-notes.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { command, REALM } from '../domain/histories.ts';
import { newDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

async function opened(t: TestContext): Promise<Ledger> {
  const database = await newDatabase();
  const ledger = await database.ledger();
  t.after(async () => {
    await ledger.close();
    await database.drop();
  });
  return ledger;
}

const LEASE_MS = 400;

test('of many processes one has the lease, until it releases it', async (t) => {
  const ledger = await opened(t);
  const leases = Array.from({ length: 20 }, () => new Lease(ledger));
  const renewed = await Promise.all(leases.map((lease) => lease.renew()));
  assert.equal(renewed.filter(Boolean).length, 1);
  const holder = leases[renewed.indexOf(true)];
  assert.equal(await holder?.renew(), true);
  const others = leases.filter((lease) => lease !== holder);
  assert.ok(!(await Promise.all(others.map((lease) => lease.renew()))).includes(true));
  await holder?.release();
  const next = await Promise.all(others.map((lease) => lease.renew()));
  assert.equal(next.filter(Boolean).length, 1);
  assert.equal(await holder?.renew(), false);
});

test('the lease of a process that has died is taken over, and no other', async (t) => {
  const ledger = await opened(t);
  const [one, two] = [new Lease(ledger, LEASE_MS), new Lease(ledger, LEASE_MS)];
  assert.equal(await one.renew(), true);
  assert.equal(await two.renew(), false);
  for (let round = 0; round < 6; round++) {
    await sleep(LEASE_MS / 4);
    assert.deepEqual([await one.renew(), await two.renew()], [true, false]);
  }
  const diedAt = performance.now();
  await eventually(() => two.renew(), Boolean);
  assert.ok(performance.now() - diedAt >= LEASE_MS * 0.9);
  assert.equal(await one.renew(), false, 'it was only slow, and has lost the lease');
  assert.equal(one.isHeld, false);
});

test('while the database is away, nothing changes', async (t) => {
  const ledger = await opened(t);
  let isAway = false;
  const query: Ledger['query'] = (...args) =>
    isAway ? Promise.reject(new Error('away')) : ledger.query(...args);
  const lease = new Lease({ query, housekeeping: ledger.housekeeping }, LEASE_MS);
  const other = new Lease(ledger, LEASE_MS);
  assert.equal(await lease.renew(), true);
  isAway = true;
  assert.equal(await lease.renew(), true);
  assert.equal(await other.renew(), false);
});

test('who has not seen a new link revokes nothing, and its progress is kept', async (t) => {
  const ledger = await opened(t);
  await ledger.execute(command('realm.create', { name: 'Acme', settings: {} }));
  const link = { guildId: '81384788765712384', announceChannelId: null, managerRoleId: null };
  const set = (discord: typeof link | null) =>
    ledger.execute(command('realm.update', { settings: { discord } }));
  await set(link);
  const realm = (await ledger.query('realm', { realmId: REALM })) ?? assert.fail();
  const keys = new AppKeys(ledger, 'a secret key of many characters');
  const key = await keys.of(realm);
  await saveAnnounced(ledger, realm, 7);
  await keys.keep(new Set());
  assert.deepEqual([await keys.of(realm), await announcedOf(ledger, realm)], [key, 7]);
  await set(null);
  await keys.keep(new Set());
  assert.notEqual(await keys.of(realm), key, 'it was revoked with the last server');
});
