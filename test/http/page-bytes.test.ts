import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PAGE_BYTES } from '../../src/domain/rules/pages.ts';
import { changeMany, times } from '../support/points.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';

/** Pages end at about 1 MiB, however large the rows and the limit are. */
const service = await serviceForFile();

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1));

function assertBounded({ text }: Reply): void {
  const bytes = Buffer.byteLength(text);
  assert.ok(bytes <= 1.05 * MAX_PAGE_BYTES, `${bytes} bytes`);
}

/** Reads all pages of a list; returns the length of each and all of its rows. */
async function walk(realm: TestRealm, path: string) {
  const lengths: number[] = [];
  const rows: Reply['json'][] = [];
  for (let cursor = ''; ; ) {
    const reply = await realm.expect(200, 'GET', path + cursor);
    assertBounded(reply);
    const { items, members = items, nextCursor } = reply.json;
    lengths.push(members.length);
    rows.push(...members);
    if (nextCursor === null) return { lengths, rows };
    assert.ok(members.length > 0, 'the walk does not advance');
    cursor = `&cursor=${nextCursor}`;
  }
}

const wallet = (member: number, index: number): string =>
  `0x${(member * 1_000 + index + 1).toString(16).padStart(40, '0')}`;

/** Members with 7 kB of metadata and 50 wallets. */
const large = async (realm: TestRealm, count: number): Promise<void> => {
  const member = (index: number) => ({
    id: index + 1,
    username: 'large',
    metadata: { text: 'm'.repeat(7_000) },
    wallets: Array.from({ length: 50 }, (_, at) => wallet(index + 1, at)),
  });
  const members = Array.from({ length: count }, (_, index) => member(index));
  for (let at = 0; at < count; at += 25) {
    const body = { members: members.slice(at, at + 25), atomic: true };
    await realm.expect(200, 'POST', '/members/batch', { body });
  }
};

test('a walk over large members returns each once, in pages of bounded size', async () => {
  const realm = await service.realm('large');
  await large(realm, 150);
  for (const query of ['?limit=500', '?limit=500&status=active', '?limit=500&search=large']) {
    const { lengths, rows } = await walk(realm, `/members${query}`);
    assert.deepEqual(
      rows.map(({ id }) => id),
      numbers(150),
    );
    assert.ok(rows.every(({ wallets }) => wallets.length === 50));
    assert.ok(lengths.length >= 3, `pages of ${lengths}`);
    // What is read is counted, and that is more of a wallet than its address.
    assert.ok(
      lengths.slice(0, -1).every((length) => length >= 40),
      `pages of ${lengths}`,
    );
  }
  assert.deepEqual(
    (await walk(realm, '/members?limit=20')).lengths,
    [20, 20, 20, 20, 20, 20, 20, 10],
  );
});

test('a reader of the event feed gets large records once, in pages of bounded size', async () => {
  const realm = await service.realm('feed');
  const text = 'é'.repeat(4_000);
  await times(300, () => realm.expect(201, 'POST', '/members', { body: { metadata: { text } } }));
  const seqs: number[] = [];
  const lengths: number[] = [];
  for (let after = 0; ; ) {
    const reply = await realm.expect(200, 'GET', `/events?after=${after}&limit=500`);
    assertBounded(reply);
    const { items, lastSeq } = reply.json;
    assert.equal(lastSeq, items.at(-1)?.seq ?? after);
    if (items.length === 0) break;
    lengths.push(items.length);
    seqs.push(...items.map(({ seq }: { seq: number }) => seq));
    after = lastSeq;
  }
  assert.deepEqual(seqs.map(String), numbers(302));
  assert.equal(lengths.length, 3, `pages of ${lengths}`);
});

test('statements with the longest descriptions have pages of bounded size', async () => {
  const realm = await service.realm('words');
  await realm.member('1', 1);
  const description = '🐸'.repeat(500);
  const entries = Array.from({ length: 600 }, () => ({ memberId: 1, tokens: 1, description }));
  await changeMany(realm, entries, 200);
  for (const list of ['/transactions', '/members/1/transactions']) {
    const { lengths, rows } = await walk(realm, `${list}?limit=500`);
    assert.deepEqual(
      rows.map(({ balance }) => balance),
      Array.from({ length: 601 }, (_, index) => 601 - index),
    );
    assert.equal(lengths.length, 2, `pages of ${lengths}`);
    assert.ok((lengths[0] ?? 0) < 500 && (lengths[0] ?? 0) > 400, `pages of ${lengths}`);
  }
});

test('small rows fill the limit', async () => {
  const realm = await service.realm('small', { autoEnroll: true });
  const entries = numbers(1_001).map((memberId) => {
    return { memberId, tokens: Number(memberId), description: 'Quest reward' };
  });
  await changeMany(realm, entries);
  for (const list of ['/members', '/transactions', '/leaderboard']) {
    const { lengths } = await walk(realm, `${list}?limit=500`);
    assert.deepEqual(lengths, [500, 500, 1], list);
    assert.equal(
      (await realm.expect(200, 'GET', list)).text.match(/"displayName"|"actor"/g)?.length,
      50,
    );
  }
  const { items } = (await realm.expect(200, 'GET', '/events?limit=500')).json;
  assert.equal(items.length, 500);
});
