import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, everything } from '../support/checks.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, serviceForTest } from '../support/service.ts';
import { announce, dial, repliesOn } from '../support/sockets.ts';

/** Starting and stopping, and what is beside the API. */
const service = await serviceForFile();

test('healthz and readyz need no key', async () => {
  for (const path of ['/healthz', '/readyz']) {
    for (const key of [null, 'wrong', ROOT_KEY]) {
      const reply = await service.expect(200, 'GET', path, { key });
      assert.match(reply.headers['content-type'] ?? '', /^application\/json/);
      assert.ok(reply.headers['x-request-id']);
    }
    assert.equal((await service.send('HEAD', path)).status, 200);
    const wrong = await service.send('POST', path, { body: {} });
    assertProblem(wrong, 'method-not-allowed');
    assert.equal(wrong.headers.allow, 'GET, HEAD');
    assertProblem(await service.send('GET', `${path}/`), 'not-found');
  }
});

test('everything survives a restart', async () => {
  const own = await serviceForTest();
  const prepared = [await prepare(own, 'one'), await prepare(own, 'two')];
  const removing = ['removeMember', 'removePerson', 'removeOwner', 'removePasskey', 'revokeKey'];
  // A claim is delivered or rejected.
  const final = [...removing, 'deleteWebhook', 'endSession', 'deleteRealm', 'rejectClaim'];
  const kept = table.filter(([id, { ofPeople }]) => !final.includes(id) && !ofPeople);
  const ids = kept.map(([id]) => id);
  // The freeze comes late: afterwards no points move.
  const late = ['updateMember', 'archiveRealm', 'unarchiveRealm'];
  for (const id of ids.toSorted((a, b) => late.indexOf(a) - late.indexOf(b))) {
    for (const [index, each] of prepared.entries()) {
      const body = id === 'createRealm' ? { body: { id: `made-${index}`, name: 'Made' } } : {};
      const { status, text } = await sendGood(id, each, body);
      assert.ok(status < 300, `${id}: ${text}`);
    }
  }
  const read = async () => [
    ...(await Promise.all(prepared.map(({ realm }) => everything(realm)))),
    (await own.expect(200, 'GET', '/api/v4/realms')).json,
    (await prepared[0]?.realm.expect(200, 'GET', '/web3/members/42'))?.json,
  ];
  const before = await read();
  await own.restart();
  assert.deepEqual(await read(), before);
  assert.deepEqual(own.errors(), []);
});

test('a stop answers accepted requests; a request without an answer had no effect', async () => {
  const own = await serviceForTest();
  const realm = await own.realm('stopped');
  await realm.member('1');
  const body = { tokens: 1 };
  for (let round = 0; round < 3; round++) {
    const before = await realm.balance('1');
    const sent = Array.from({ length: 200 }, async () => {
      const reply = await realm.send('PATCH', '/members/1/tokenBalance', { body });
      return reply.status;
    });
    await Promise.race(sent);
    await own.down();
    const ends = await Promise.allSettled(sent);
    const answers = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    assert.deepEqual([...new Set(answers)], [200]);
    await own.up();
    assert.equal(await realm.balance('1'), before + answers.length);
  }
  assert.deepEqual(own.errors(), []);
});

test('a stop waits for a request that is still arriving, and accepts no new one', async () => {
  const own = await serviceForTest();
  const realm = await own.realm('arriving');
  await realm.member('1');
  const body = '{"tokens":5}';
  const headers = { authorization: ROOT_KEY, 'content-length': body.length };
  const socket = dial(own);
  await announce(socket, 'PATCH', realm.path('/members/1/tokenBalance'), headers);
  socket.write(body.slice(0, 5));
  const { port, hostname } = new URL(own.url);
  let isDown = false;
  const down = own.down().then(() => {
    isDown = true;
  });
  await assert.rejects(fetch(`http://${hostname}:${port}/healthz`), (error: Error) => {
    assert.match(String((error.cause as NodeJS.ErrnoException).code), /^ECONN(REFUSED|RESET)$/);
    return true;
  });
  assert.equal(isDown, false);
  socket.write(body.slice(5));
  const [reply] = await repliesOn(socket, 1);
  assert.equal(reply?.json.newBalance, 5);
  await down;
  await own.up();
  assert.equal(await realm.balance('1'), 5);
});
