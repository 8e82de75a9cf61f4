import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EventReader } from '../support/event-reader.ts';
import { add } from '../support/points.ts';
import { ROOT_KEY, TestService } from '../support/service.ts';
import { dial, requestText } from '../support/sockets.ts';

const service = await TestService.start();
after(() => service.stop());

test('a stop ends streams with a hint, and a reader resumes where it was', async () => {
  const realm = await service.realm('acme');
  await realm.member('1', 1);
  const first = await EventReader.open(realm);
  const filtered = await EventReader.open(realm, { query: '?types=points.added' });
  await first.reaches(4);
  await filtered.reaches(4);
  await realm.member('2');
  await first.reaches(5);
  await service.restart();
  for (const reader of [first, filtered]) {
    assert.equal(await reader.ended, true);
    assert.match(reader.others.at(-1) ?? '', /^: the service is stopping\nretry: \d{4}$/);
    assert.equal(reader.lastEventId, 5, 'also if the last event was none of its');
  }
  await add(realm, '1', 1);
  const second = await EventReader.open(realm, { lastEventId: first.lastEventId ?? 0 });
  await second.reaches(6);
  assert.deepEqual([...first.seqs, ...second.seqs], [1, 2, 3, 4, 5, 6]);
  second.close();
});

test('a reader that does not read does not delay a stop', async () => {
  const realm = await service.realm('stuck', { autoEnroll: true });
  const description = 'x'.repeat(500);
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ memberId: index + 1, tokens: 1 }));
  // More than the kernel takes.
  for (let count = 0; count < 12; count++) {
    const body = { description, entries };
    await realm.expect(200, 'PATCH', '/members/tokenBalance', { body });
  }
  const socket = dial(service).pause();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${realm.key}` };
  socket.write(requestText('GET', realm.path('/events'), headers));
  const isOpen = /^realmkeep_event_streams 1$/m;
  while (!isOpen.test((await service.expect(200, 'GET', '/metrics', { key: ROOT_KEY })).text));
  const start = performance.now();
  await service.restart();
  const ms = performance.now() - start;
  // It waits for such a reader for a second; other requests get nine.
  assert.ok(ms < 8_000, `${ms} ms`);
  socket.destroy();
});
