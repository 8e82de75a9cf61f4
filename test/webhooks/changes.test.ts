import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import type { CommandOf } from '../../src/domain/commands.ts';
import { openLedger } from '../../src/storage/storage.ts';
import { serviceForFile } from '../support/service.ts';
import { QUICKLY } from './quickly.ts';
import { Receiver } from './receiver.ts';

/** It hears of changes by another process from the journal only. */
const times = { ...QUICKLY.times, renewMs: 50_000 };
const service = await serviceForFile({}, {}, { ...QUICKLY, times });

test('what follows a change is sent as the change says, whichever process made it', async (t) => {
  const receiver = await Receiver.start();
  const ledger = await openLedger(readConfig({ DATABASE_URL: service.database.url }).database);
  t.after(async () => {
    await ledger.close();
    await receiver.stop();
  });
  const realm = await service.realm('acme');
  const path = '/webhooks';
  const body = { url: receiver.url, types: ['points.*'] };
  const { id } = (await realm.expect(201, 'POST', path, { body })).json;
  const elsewhere = (changes: Omit<CommandOf<'webhook.update'>, 'type' | 'webhookId' | 'target'>) =>
    ledger.execute({ ...changes, type: 'webhook.update', webhookId: id, target: 'allowed' });
  const receives = (memberId: string) =>
    receiver.until(() => receiver.received.some(({ event }) => event.data.memberId === memberId));
  const change = { actor: 'test', idempotency: null, realmId: 'acme', fields: {} };

  await realm.member('1', 5);
  await receives('1');
  await elsewhere({ ...change, fields: { types: ['member.created'] } });
  await realm.member('2');
  await receives('2');
  await elsewhere({ ...change, fields: { url: `${receiver.url}/moved` } });
  await realm.member('3');
  await receives('3');
  await elsewhere({ ...change, paused: true });
  await realm.member('4');
  const resumed = { url: `${receiver.url}/resumed`, paused: false };
  await realm.expect(200, 'PATCH', `${path}/${id}`, { body: resumed });
  await receives('4');

  // After a change of the URL, the last events may come again.
  const firsts = new Map(
    receiver.received
      .map(({ path, event }) => [event.data.memberId, `${path} ${event.type}`] as const)
      .reverse(),
  );
  assert.deepEqual([...firsts].reverse(), [
    ['1', '/hook points.added'],
    ['2', '/hook member.created'],
    ['3', '/hook/moved member.created'],
    ['4', '/hook/resumed member.created'],
  ]);
});
