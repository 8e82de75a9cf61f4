import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Realmkeep } from '@realmkeep/client';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { ServiceProxy } from './bad-ways.ts';

const service = await serviceForFile();

test('a stream and calls go on over a restart of the service', async () => {
  const { url } = await ServiceProxy.start(service);
  // A start takes a second or two, and more on a busy machine.
  const client = new Realmkeep({ url, key: ROOT_KEY, timeoutMs: 60_000 });
  const realm = client.realm('acme');
  await client.createRealm({ id: 'acme', name: 'Acme' });
  await realm.createMember({ id: '1' });
  const seen: number[] = [];
  const followed = (async () => {
    for await (const event of realm.stream({ types: ['points.added'] })) {
      seen.push(event.data.newBalance);
      if (seen.length === 20) return;
    }
  })();
  for (let credit = 1; credit <= 20; credit += 1) {
    const added = realm.member('1').add(1);
    if (credit % 10 === 0) await service.restart();
    await added;
  }
  await followed;
  assert.deepEqual(
    seen,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});
