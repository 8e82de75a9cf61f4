import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { EventReader } from '../support/event-reader.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { dial, requestText } from '../support/sockets.ts';

const service = await serviceForFile();

/** Asks for a stream and never reads it. */
function silentReader(realm: TestRealm): Socket {
  const { host } = new URL(service.url);
  const headers = { host, accept: 'text/event-stream', authorization: `Bearer ${realm.key}` };
  const socket = dial(service).pause();
  socket.setTimeout(0);
  socket.write(requestText('GET', realm.path('/events?after=2'), headers));
  return socket;
}

async function metric(name: string): Promise<number> {
  const { text } = await service.expect(200, 'GET', '/metrics', { key: ROOT_KEY });
  return Number(new RegExp(`^realmkeep_${name} (\\d+)`, 'm').exec(text)?.[1]);
}

test('readers that never read are dropped, and nobody else notices', async () => {
  const realm = await service.realm('slow', { autoEnroll: true });
  const reader = await EventReader.open(realm);
  const silent = [silentReader(realm), silentReader(realm)];
  while ((await metric('event_streams')) < 3);
  const description = 'x'.repeat(500);
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ memberId: index + 1, tokens: 1 }));
  let seq = 2;
  for (let writes = 0; (await metric('event_stream_dropped_total')) < 2; writes++) {
    assert.ok(writes < 120, 'the kernel buffers some megabytes, but no more');
    const body = { description, entries };
    const { json } = await realm.expect(200, 'PATCH', '/members/tokenBalance', { body });
    seq = json.results.at(-1).transactionId;
    await reader.reaches(seq);
  }
  assert.equal(await metric('event_streams'), 1);
  assert.deepEqual(
    reader.seqs,
    Array.from({ length: seq }, (_, index) => index + 1),
  );
  for (const socket of silent) socket.destroy();
  reader.close();
});
