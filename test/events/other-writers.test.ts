import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { credit } from '../support/commands.ts';
import { EventReader } from '../support/event-reader.ts';
import { keyIdOf } from '../support/requests.ts';
import { TestService } from '../support/service.ts';

/** Writes as another node does on PostgreSQL, and the command line on either database. */
const service = await TestService.start();
const other = await service.database.ledger();
after(async () => {
  await other.close();
  await service.stop();
});

/** The poll comes every second, and the machine may be busy. */
const SOON_MS = 3_000;

test('a stream hears of what another process writes', async () => {
  const realm = await service.realm('acme', { autoEnroll: true });
  const reader = await EventReader.open(realm);
  await reader.reaches(2);
  for (let seq = 4; seq <= 6; seq++) {
    await other.execute(credit(realm.id));
    const start = performance.now();
    await reader.reaches(seq);
    assert.ok(performance.now() - start < SOON_MS);
  }
  assert.deepEqual(reader.seqs, [1, 2, 3, 4, 5, 6]);
  reader.close();
});

test('a stream ends with its key, also if another process revokes it', async () => {
  const realm = await service.realm('keys');
  const key = await realm.issueKey(['read']);
  const reader = await EventReader.open(realm, { key });
  await other.execute({
    type: 'key.revoke',
    realmId: realm.id,
    actor: 'cli',
    idempotency: null,
    keyId: keyIdOf(key),
  });
  const start = performance.now();
  assert.equal(await reader.ended, true);
  assert.ok(performance.now() - start < SOON_MS);
});
