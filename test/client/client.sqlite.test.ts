import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Realmkeep } from '../../client/src/index.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { ServiceProxy, shortUrl, silentUrl } from './bad-ways.ts';
import { cases } from './portable/cases.ts';

const service = await serviceForFile();
const proxy = await ServiceProxy.start(service, Math.random);
const given = {
  url: service.url,
  rootKey: ROOT_KEY,
  cutUrl: proxy.url,
  silentUrl: await silentUrl(),
  shortUrl: await shortUrl(),
};

describe('the client', () => {
  for (const [name, run] of Object.entries(cases)) test(name, () => run(given));
});

/** Not portable: not every runtime tells the digits of a number. */
test('a sum beyond 2^53 is a bigint, and what a number holds is a number', async () => {
  const realm = await service.realm('sums');
  const most = Number.MAX_SAFE_INTEGER;
  for (const id of ['1', '2']) await realm.member(id, most);
  const client = new Realmkeep({ url: service.url, key: ROOT_KEY }).realm('sums');
  const { circulation, held } = await client.summary();
  assert.deepEqual([circulation, held], [{ points: 2n * BigInt(most) }, { points: 0 }]);
  assert.equal((await client.member('1').get()).tokenBalance, most);
});
