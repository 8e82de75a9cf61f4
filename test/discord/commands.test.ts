import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceForFile } from '../support/service.ts';
import { community } from './community.ts';

const service = await serviceForFile();
const server = await community(service);

test('/balance enrols on first use, with names, and is private', async () => {
  const alice = server.user('Alice');
  const shown = await alice.uses('balance');
  assert.ok(shown.isPrivate);
  assert.match(shown.text, /^Your points\n\*\*0 points\*\*$/);
  const { json } = await server.realm.expect(200, 'GET', `/members/${alice.id}`);
  assert.deepEqual([json.username, json.displayName], ['alice', 'Alice']);
});

test('/give moves points, pings the recipient alone, and says for whom', async () => {
  const alice = await server.member('Alice', 90);
  const bob = server.user('Bob');
  const shown = await alice.uses('give', { member: bob, amount: 20, reason: 'Thanks *a lot*' });
  assert.ok(!shown.isPrivate);
  assert.equal(shown.original.content, `<@${bob.id}>`);
  assert.deepEqual(shown.original.allowed_mentions, { parse: [], users: [bob.id] });
  assert.match(shown.text, /gave <@\d+> \*\*20 points\*\*\.\n> Thanks \\\*a lot\\\*/);
  assert.deepEqual([await server.balance(alice), await server.balance(bob)], [70, 20]);
});
