import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, everything } from '../support/checks.ts';
import { prepare, sendGood, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, TestService } from '../support/service.ts';
import { announce, dial, repliesOn } from '../support/sockets.ts';

/** Starting, stopping and logging. */
const service = await serviceForFile();

/** A service for one test, since that test stops it. */
async function ownService(...changes: Parameters<typeof TestService.start>): Promise<TestService> {
  const own = await TestService.start(...changes);
  after(() => own.stop());
  return own;
}

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
  const own = await ownService();
  const prepared = [await prepare(own, 'one'), await prepare(own, 'two')];
  const ids = table.map(([id]) => id).filter((id) => id !== 'removeMember' && id !== 'revokeKey');
  // The freeze comes last: afterwards no points move.
  const last = (id: string) => Number(id === 'updateMember');
  for (const id of ids.toSorted((a, b) => last(a) - last(b))) {
    for (const [index, each] of prepared.entries()) {
      const body = id === 'createRealm' ? { body: { id: `made-${index}`, name: 'Made' } } : {};
      assert.ok((await sendGood(id, each, body)).status < 300, id);
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
  const own = await ownService();
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
  const own = await ownService();
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

test('only the first start generates a root key', async () => {
  const own = await ownService({ rootKey: null });
  const key = own.newRootKey ?? '';
  assert.match(key, /^rk_root_[0-9A-Za-z]{38}$/);
  await own.expect(200, 'GET', '/api/v4/realms', { key });
  await own.restart();
  assert.equal(own.newRootKey, null);
  await own.expect(200, 'GET', '/api/v4/realms', { key });
  assertProblem(await own.send('GET', '/api/v4/realms', { key: ROOT_KEY }), 'unauthorized');
  for (const line of own.logs) assert.ok(!line.includes(key.slice(8)), line);
});

test('the log has one line per request, and nothing private', async () => {
  const own = await ownService();
  const realm = await own.realm('logged');
  const id = '80351110224678912';
  const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
  const headers = { 'idempotency-key': 'retry-7531', 'x-request-id': 'request-1357' };
  await realm.member(id, 5, { username: 'ann-private', wallets: [wallet] });
  const sent: [method: string, path: string, body?: object][] = [
    ['GET', `/members/${id}`],
    ['PATCH', `/members/${id}/tokenBalance`, { tokens: 71, description: 'very private' }],
    ['PATCH', `/members/${id}/tokenBalance`, { tokens: '71', description: 'very private' }],
    ['GET', `/members?search=ann-private&wallet=${wallet}`],
    ['GET', `/members/includes?wallets=${wallet}`],
    ['GET', `/nowhere/${id}`],
    ['PUT', `/members/${id}`],
    ['GET', '/members/%ZZ'],
  ];
  const from = own.logs.length;
  for (const [method, path, body] of sent) await realm.send(method, path, { body, headers });
  await realm.send('GET', `/members/${id}`, { key: `${realm.key}x`, headers });
  await own.down();
  const lines = own.logs.slice(from).map((line) => JSON.parse(line));
  const requests = lines.filter(
    (line) => line.msg === 'request' && line.requestId === 'request-1357',
  );
  assert.equal(requests.length, sent.length + 1);
  assert.deepEqual(
    requests.map((line) => line.status),
    [200, 200, 400, 200, 200, 404, 405, 400, 401],
  );
  assert.deepEqual(Object.keys(requests[0]).sort(), [
    'actor',
    'level',
    'method',
    'ms',
    'msg',
    'requestId',
    'route',
    'status',
    'time',
  ]);
  assert.equal(requests[0].route, '/api/v4/realms/:realmID/members/:memberID');
  const secrets = [id, wallet, 'private', 'retry-7531', ROOT_KEY, realm.key, realm.key.slice(16)];
  for (const line of own.logs) {
    assert.ok(line.endsWith('}\n') && line.indexOf('\n') === line.length - 1);
    for (const secret of secrets) assert.ok(!line.includes(secret), line);
  }
  await own.up();
});
