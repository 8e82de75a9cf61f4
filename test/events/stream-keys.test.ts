import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventReader } from '../support/event-reader.ts';
import { add } from '../support/points.ts';
import { keyIdOf } from '../support/requests.ts';
import {
  ROOT_KEY,
  serviceForFile,
  serviceForTest,
  TestRealm,
  TestService,
} from '../support/service.ts';
import { acceptInvitation, bySession, SESSIONS, signIn } from '../support/sessions.ts';

/** How long a stream may outlive its key. */
const LIMIT_MS = 2_000;

const service = await serviceForFile();

/** The time until a stream ends, as it should: between two events. */
async function endOf(reader: EventReader): Promise<number> {
  const start = performance.now();
  assert.equal(await reader.ended, true);
  return performance.now() - start;
}

test('a revoked key ends its streams, and no others', async () => {
  const realm = await service.realm('revoked');
  const key = await realm.issueKey(['read']);
  const readers = await Promise.all([1, 2, 3].map(() => EventReader.open(realm, { key })));
  const other = await EventReader.open(realm, { query: '?types=points.added' });
  await realm.expect(204, 'DELETE', `/keys/${keyIdOf(key)}`);
  for (const reader of readers) {
    assert.ok((await endOf(reader)) < LIMIT_MS);
    assert.equal(reader.others.at(-1)?.split('\n')[0], ': the key was revoked');
    // Nothing of what followed the revocation, and not the revocation itself.
    assert.deepEqual(reader.seqs, [1, 2, 3]);
  }
  await assert.rejects(EventReader.open(realm, { key }), /401/);
  await realm.member('1', 5);
  await other.reaches(6);
  other.close();
});

test('a key that was revoked an instant ago opens no stream', async () => {
  const realm = await service.realm('cached');
  const key = await realm.issueKey(['read']);
  const reader = await EventReader.open(realm, { key });
  await realm.expect(200, 'GET', '/members', { key });
  // Around the handler, which would tell the key ring of this process.
  await service.database.exec(
    `UPDATE api_keys SET revoked_at = 1 WHERE key_id = '${keyIdOf(key)}'`,
  );
  await assert.rejects(EventReader.open(realm, { key }), /401/);
  reader.close();
});

test('a rotation does not end a stream, not even after the overlap', async () => {
  const realm = await service.realm('rotated');
  await realm.member('1');
  const key = await realm.issueKey(['read']);
  const rotate = async (old: string): Promise<string> => {
    const body = { overlapSeconds: 0 };
    return (await realm.expect(201, 'POST', `/keys/${keyIdOf(old)}/rotate`, { body })).json.key;
  };
  const reader = await EventReader.open(realm, { key });
  const second = await rotate(key);
  await assert.rejects(EventReader.open(realm, { key }), /401/);
  const third = await rotate(second);
  await add(realm, '1', 1);
  await reader.reaches(7);
  assert.equal(reader.hasEnded, false);
  // Its holder has the third one now.
  await realm.expect(204, 'DELETE', `/keys/${keyIdOf(third)}`);
  assert.ok((await endOf(reader)) < LIMIT_MS);
});

test('a stream that an old key opens during its overlap lives as long as the new one', async () => {
  const realm = await service.realm('overlap');
  const key = await realm.issueKey(['read']);
  const body = { overlapSeconds: 60 };
  const { id } = (await realm.expect(201, 'POST', `/keys/${keyIdOf(key)}/rotate`, { body })).json;
  const reader = await EventReader.open(realm, { key });
  await realm.expect(204, 'DELETE', `/keys/${id}`);
  assert.ok((await endOf(reader)) < LIMIT_MS);
});

test('an expired key ends its streams', async () => {
  const realm = await service.realm('expired');
  const expiresAt = Date.now() + 1_000;
  const key = await realm.issueKey(['read'], { expiresAt: new Date(expiresAt).toISOString() });
  const reader = await EventReader.open(realm, { key });
  await endOf(reader);
  const late = Date.now() - expiresAt;
  assert.ok(late >= 0 && late < LIMIT_MS, `${late} ms`);
});

test('an archived realm streams on; a deleted one ends with its last event', async () => {
  const realm = await service.realm('deleted');
  const readers = [
    await EventReader.open(realm),
    await EventReader.open(realm, { key: ROOT_KEY, lastEventId: 2 }),
  ];
  await service.expect(200, 'POST', realm.path('/archive'));
  for (const reader of readers) await reader.reaches(3);
  await service.expect(204, 'DELETE', `${realm.path('')}?confirm=deleted`);
  for (const reader of readers) {
    assert.ok((await endOf(reader)) < LIMIT_MS);
    assert.equal(reader.events.at(-1)?.type, 'realm.deleted');
  }
  await assert.rejects(EventReader.open(realm, { key: ROOT_KEY }), /404/);
});

test('the end of a session closes its streams at once', async () => {
  const realm = await service.realm('signed-out');
  const key = await realm.issueKey(['read']);
  let ms = 0;
  for (let round = 0; round < 4; round += 1) {
    const { id, sent } = await signIn(service, key);
    const reader = await EventReader.open(realm, sent);
    await service.expect(204, 'DELETE', `${SESSIONS}/${id}`, { key });
    ms += await endOf(reader);
  }
  assert.ok(ms < LIMIT_MS / 2, `${ms} ms`);
});

test('a session ends its streams when it ends, and when its key is replaced', async () => {
  const realm = await service.realm('session');
  const key = await realm.issueKey(['read']);
  const [first, second] = [await signIn(service, key), await signIn(service, key)];
  const readers = await Promise.all(
    [first, second].map(({ sent }) => EventReader.open(realm, sent)),
  );
  await service.expect(204, 'DELETE', `${SESSIONS}/${first.id}`, first.sent);
  assert.ok((await endOf(readers[0] as EventReader)) < LIMIT_MS);
  assert.equal(readers[0]?.others.at(-1)?.split('\n')[0], ': the session has ended');
  await realm.member('1');
  await readers[1]?.reaches(4);
  const body = { overlapSeconds: 0 };
  await realm.expect(201, 'POST', `/keys/${keyIdOf(key)}/rotate`, { body });
  assert.ok((await endOf(readers[1] as EventReader)) < LIMIT_MS);
});

test('who is removed loses all streams, on every process', async () => {
  const first = await serviceForTest();
  const realm = await first.realm('left');
  const second = await TestService.start({}, {}, first.database);
  const places = [realm, new TestRealm(second, 'left')];
  try {
    for (const path of [realm.path('/people'), '/api/v4/people']) {
      const body = { name: 'Ann', ...(path !== '/api/v4/people' && { role: 'viewer' }) };
      const { json } = await first.expect(201, 'POST', path, { body });
      const sent = bySession(await acceptInvitation(first, json.invitation));
      const readers = await Promise.all(places.map((place) => EventReader.open(place, sent)));
      await first.expect(204, 'DELETE', `${path}/${json.id}`);
      for (const reader of readers) assert.ok((await endOf(reader)) < 2 * LIMIT_MS);
    }
  } finally {
    await second.stop();
  }
});
