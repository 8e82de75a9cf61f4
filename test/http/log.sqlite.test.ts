import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_KEY, serviceForTest, type TestRealm, type TestService } from '../support/service.ts';

/** What a service logs about requests. */
const ID = '80351110224678912';
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const REQUEST_ID = 'request-1357';

/** The service has stopped, so that all lines are written. */
async function linesOf(own: TestService) {
  await own.restart();
  return own.logs.map((line) => JSON.parse(line));
}

type Sending = [method: string, path: string, status: number, code?: string | null, body?: object];

const SENT: Sending[] = [
  ['GET', `/members/${ID}`, 200],
  ['PATCH', `/members/${ID}/tokenBalance`, 200, null, { tokens: 71, description: 'private' }],
  ['PATCH', `/members/${ID}/tokenBalance`, 400, 'invalid-request', { description: 'private' }],
  ['GET', `/members?search=ann-private&wallet=${WALLET}`, 200],
  ['GET', `/members/includes?wallets=${WALLET}`, 200],
  ['GET', `/nowhere/${ID}`, 404, 'not-found'],
  ['DELETE', `/members/${ID}/transfer`, 405, 'method-not-allowed'],
  ['GET', '/members/%ZZ', 400, 'invalid-request'],
];

async function sendAll(realm: TestRealm): Promise<void> {
  const headers = { 'idempotency-key': 'retry-7531', 'x-request-id': REQUEST_ID };
  await realm.member(ID, 5, { username: 'ann-private', wallets: [WALLET] });
  for (const [method, path, , , body] of SENT) await realm.send(method, path, { body, headers });
  await realm.send('GET', `/members/${ID}`, { key: `${realm.key}x`, headers });
}

test('there is one line per request, with its realm and the code of its problem', async () => {
  const own = await serviceForTest();
  await sendAll(await own.realm('logged'));
  const requests = (await linesOf(own)).filter(({ requestId }) => requestId === REQUEST_ID);
  assert.deepEqual(
    requests.map(({ status, code = null }) => [status, code]),
    [...SENT.map(([, , status, code = null]) => [status, code]), [401, 'unauthorized']],
  );
  const [{ time, ms, actor, ...first }] = requests;
  assert.deepEqual(first, {
    level: 'info',
    msg: 'request',
    requestId: REQUEST_ID,
    method: 'GET',
    route: '/api/v4/realms/:realmID/members/:memberID',
    status: 200,
    realm: 'logged',
  });
  assert.equal(time, new Date(time).toISOString());
  assert.equal(typeof ms, 'number');
  assert.match(actor, /^key:/);
  // Without a valid key, the realm in the path is anybody's text.
  const last = requests.at(-1);
  assert.deepEqual([last.realm, last.actor], [undefined, undefined]);
});

test('the log has nothing private', async () => {
  const own = await serviceForTest();
  const realm = await own.realm('logged');
  await sendAll(realm);
  await linesOf(own);
  const secrets = [ID, WALLET, 'private', 'retry-7531', ROOT_KEY, realm.key, realm.key.slice(16)];
  for (const line of own.logs) {
    assert.ok(line.endsWith('}\n') && line.indexOf('\n') === line.length - 1);
    for (const secret of secrets) assert.ok(!line.includes(secret), line);
  }
});

test('a key is logged with its own realm, and the root key with the one it has named', async () => {
  const own = await serviceForTest();
  const [realm, other] = [await own.realm('mine'), await own.realm('theirs')];
  await own.expect(403, 'GET', other.path('/members/1'), { key: realm.key });
  await own.expect(404, 'GET', other.path('/members/1'));
  const lines = await linesOf(own);
  const refused = lines.find(({ status }) => status === 403);
  assert.deepEqual([refused.code, refused.realm], ['forbidden', 'mine']);
  assert.match(refused.actor, /^key:/);
  const missed = lines.find(({ status }) => status === 404);
  assert.deepEqual([missed.realm, missed.actor], ['theirs', 'root']);
});

test('ACCESS_LOG=off leaves out the requests and nothing else', async () => {
  const own = await serviceForTest({ accessLog: false });
  await sendAll(await own.realm('quiet'));
  const messages = (await linesOf(own)).map(({ msg }) => msg);
  assert.deepEqual(messages, ['listening', 'stopped', 'listening']);
});
