import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import {
  add,
  capture,
  done,
  give,
  hold,
  newKind,
  release,
  reverse,
  times,
} from '../support/points.ts';
import { keyIdOf } from '../support/requests.ts';
import { type Reply, ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';
import { evmSigner, linkProved } from '../support/signers.ts';

/** The event feed is the journal: all of it, in order, without gaps and without secrets. */
const service = await serviceForFile();
type Event = Reply['json'];

const read = async (realm: TestRealm, query = '') =>
  (await realm.expect(200, 'GET', `/events${query}`)).json;

async function project(realm: TestRealm, limit: number): Promise<Event[]> {
  const seen: Event[] = [];
  for (let after = 0; ; ) {
    const { items, lastSeq } = await read(realm, `?after=${after}&limit=${limit}`);
    seen.push(...items);
    assert.equal(lastSeq, items.at(-1)?.seq ?? after);
    if (items.length === 0) return seen;
    after = lastSeq;
  }
}

test('events are numbered from 1 without gaps, however they are read', async () => {
  const realm = await service.realm('numbers');
  await realm.member('1', 100);
  await times(60, (index) => (index % 3 === 0 ? add(realm, '1', -1_000) : add(realm, '1', 1)));
  const all = await project(realm, 500);
  assert.deepEqual(
    all.map((event) => event.seq),
    Array.from({ length: all.length }, (_, index) => index + 1),
  );
  assert.equal(all.length, 4 + 40, 'a refusal leaves no record');
  for (const limit of [1, 7, all.length]) assert.deepEqual(await project(realm, limit), all);
  assert.deepEqual((await read(realm)).items, all.slice(0, 50));
  const ahead = await read(realm, '?after=1000000');
  assert.deepEqual(ahead, { items: [], lastSeq: 1_000_000 });
  assert.deepEqual(
    all.map((event) => event.at),
    all.map((event) => event.at).toSorted(),
  );
});

test('one event has the hash of its record; the last one has the head', async () => {
  const realm = await service.realm('hashes');
  await realm.member('1', 100);
  const all = await project(realm, 500);
  const hashes = await Promise.all(
    all.map(async (event) => {
      const { hash, ...rest } = (await realm.expect(200, 'GET', `/events/${event.seq}`)).json;
      assert.deepEqual(rest, event);
      return hash;
    }),
  );
  assert.equal(new Set(hashes).size, all.length);
  assert.equal((await realm.expect(200, 'GET', '/verify')).json.head, hashes.at(-1));
  const seq = all.length + 1;
  assertProblem(await realm.send('GET', `/events/${seq}`), 'event-not-found', { seq });
});

test('a reader that follows the feed misses nothing during writes', async () => {
  const realm = await service.realm('following');
  await realm.member('1', 100);
  let isOver = false;
  const writing = times(120, () => add(realm, '1', 1)).finally(() => {
    isOver = true;
  });
  const seen: Event[] = [];
  for (let isLast = false; ; ) {
    isLast = isOver;
    const { items } = await read(realm, `?after=${seen.at(-1)?.seq ?? 0}&limit=9`);
    seen.push(...items);
    if (isLast && items.length === 0) break;
  }
  await writing;
  assert.deepEqual(
    seen.map((event) => event.seq),
    Array.from({ length: 124 }, (_, index) => index + 1),
  );
});

/** Does everything once; returns the secrets that must not appear anywhere. */
async function everything(realm: TestRealm): Promise<string[]> {
  const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7'];
  await realm.member('1', 100, { username: 'ann', metadata: { tier: 'gold' }, wallets });
  await realm.member('2');
  await newKind(realm, 'gems', { symbol: '◆' });
  await realm.expect(200, 'PATCH', '/points/gems', { body: { isDefault: true } });
  await realm.expect(200, 'PATCH', '/points/points', { body: { isDefault: true } });
  await realm.expect(200, 'PATCH', '', { body: { name: 'New', settings: { autoEnroll: true } } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { username: 'bo' } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'frozen' } });
  await realm.expect(200, 'PATCH', '/members/2', { body: { status: 'active' } });
  const { transactionId } = await done(add(realm, '1', -5, { description: 'Fine' }));
  await done(give(realm, '1', '2', 10));
  await done(reverse(realm, transactionId));
  const { holdId } = await done(hold(realm, '1', 20));
  await done(capture(realm, holdId, { tokens: 5, recipientId: 2 }));
  await done(release(realm, holdId));
  const asset = {
    id: 'gold',
    chain: 'eip155:1',
    standard: 'erc20',
    contract: `0x${'1'.repeat(40)}`,
  };
  await realm.expect(201, 'POST', '/assets', { body: asset });
  await realm.expect(204, 'DELETE', '/assets/gold');
  const key = await realm.issueKey(['read']);
  const rotated = await realm.expect(201, 'POST', `/keys/${keyIdOf(key)}/rotate`);
  await realm.expect(204, 'DELETE', `/keys/${rotated.json.id}`);
  await linkProved(realm, '2', evmSigner());
  await realm.expect(204, 'DELETE', '/members/1?forfeit=true');
  return [key, rotated.json.key, realm.key];
}

test('every type of event appears, with its actor and without secrets', async () => {
  const realm = await service.realm('types');
  const secrets = await everything(realm);
  const all = await project(realm, 500);
  const types = [...new Set(all.map((event) => event.type))].sort();
  const moves = ['added', 'captured', 'held', 'released', 'reversed', 'subtracted', 'transferred'];
  assert.deepEqual(types, [
    ...['asset.created', 'asset.deleted'],
    ...['key.created', 'key.revoked', 'key.rotated'],
    ...['member.created', 'member.frozen', 'member.removed', 'member.unfrozen', 'member.updated'],
    ...['point.created', 'point.updated'],
    ...moves.map((move) => `points.${move}`),
    ...['realm.created', 'realm.updated', 'wallet.linked', 'wallet.unlinked'],
    'wallet.verified',
  ]);
  const text = JSON.stringify(all);
  for (const secret of [...secrets, ROOT_KEY]) {
    assert.ok(!text.includes(secret));
    assert.ok(!text.includes(secret.split('_')[2] ?? secret), 'not a part of it either');
  }
  assert.doesNotMatch(text, /secret|hash/i);
  const actors = new Set(all.map((event) => event.actor));
  assert.deepEqual([...actors].sort(), [`key:${keyIdOf(realm.key)}`, 'root']);
});

test('the data of movements is complete', async () => {
  const realm = await service.realm('data');
  await everything(realm);
  const all = await project(realm, 500);
  const dataOf = (type: string) => all.find((event) => event.type === type)?.data;
  const seqOf = (type: string) => all.find((event) => event.type === type)?.seq;
  const points = { realmPointId: 'points' };
  assert.deepEqual(dataOf('points.subtracted'), {
    memberId: '1',
    tokens: 5,
    ...points,
    newBalance: 95,
    description: 'Fine',
  });
  assert.deepEqual(dataOf('points.transferred'), {
    memberId: '1',
    recipientId: '2',
    tokens: 10,
    ...points,
    senderBalance: 85,
    recipientBalance: 10,
  });
  assert.deepEqual(dataOf('points.reversed'), {
    reversalOf: seqOf('points.subtracted'),
    reversedType: 'points.subtracted',
    originalTokens: 5,
    originalDescription: 'Fine',
    memberId: '1',
    tokens: 5,
    ...points,
    newBalance: 90,
  });
  const holdId = seqOf('points.held');
  const { expiresAt, ...held } = dataOf('points.held');
  assert.match(expiresAt, /^\d{4}-.*Z$/);
  assert.deepEqual(held, { memberId: '1', tokens: 20, ...points });
  const captured = { holdId, memberId: '1', tokens: 5, ...points, newBalance: 85 };
  const recipient = { recipientId: '2', recipientBalance: 15 };
  assert.deepEqual(dataOf('points.captured'), { ...captured, ...recipient });
  assert.deepEqual(dataOf('points.released'), { holdId, memberId: '1', tokens: 15, ...points });
  const wallets = ['0x52908400098527886E0F7030069857D2E4169EE7'];
  assert.deepEqual(dataOf('member.removed'), { memberId: '1', wallets });
  const forfeited = all.findLast((event) => event.type === 'points.subtracted')?.data;
  assert.deepEqual([forfeited.reason, forfeited.tokens], ['forfeit', 85]);
  const made = { symbol: '◆', isDefault: false, isTransferable: true };
  const { id, symbol, isDefault, isTransferable } = dataOf('point.created');
  assert.deepEqual([id, { symbol, isDefault, isTransferable }], ['gems', made]);
  assert.deepEqual(dataOf('point.updated'), { id: 'gems', isDefault: true });
});

test('input that is off', async () => {
  const realm = await service.realm('off');
  for (const after of ['', '-1', '1.5', 'x', '01', '1e3', '%00', '9'.repeat(17), '1&after=2']) {
    assertFaults(await realm.send('GET', `/events?after=${after}`), '/query/after');
  }
  for (const limit of ['0', '501', '', 'x', '1.0']) {
    assertFaults(await realm.send('GET', `/events?limit=${limit}`), '/query/limit');
  }
  const most = await realm.send('GET', `/events?after=${'9'.repeat(15)}`);
  assert.deepEqual(most.json, { items: [], lastSeq: 999_999_999_999_999 });
  // A number that would lose precision is rejected.
  assertFaults(await realm.send('GET', '/events?after=9999999999999999'), '/query/after');
});
