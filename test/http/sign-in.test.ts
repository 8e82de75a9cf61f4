import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConsoleLink } from '../../src/config/keys.ts';
import { generateKey, hashSecret } from '../../src/domain/key-format.ts';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { keyIdOf } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, serviceForTest } from '../support/service.ts';
import { bySession, CURRENT, cookieOf, SESSIONS, signIn } from '../support/sessions.ts';

/** One-time codes, restarts, https, and limits. */
const service = await serviceForFile();

const newLink = async (rootKey = ROOT_KEY): Promise<string> => {
  const ledger = await service.database.ledger();
  try {
    return await createConsoleLink(ledger, hashSecret(rootKey), 'http://localhost');
  } finally {
    await ledger.close();
  }
};

const codeIn = (link: string): string => link.split('#code=')[1] ?? '';

test('a code signs in once, however many send it', async () => {
  const body = { code: codeIn(await newLink()) };
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.send('POST', SESSIONS, { key: null, body })),
  );
  const [first, ...further] = replies.filter(({ status }) => status === 201);
  assert.ok(first && further.length === 0);
  for (const reply of replies) if (reply !== first) assertProblem(reply, 'code-not-valid');
  assert.equal(first.json.isRoot, true);
  await service.expect(200, 'GET', '/api/v4/realms', bySession(first));
});

test('a code is no session, no key, and not listed', async () => {
  const code = codeIn(await newLink());
  const headers = { cookie: `realmkeep=${code}`, 'x-realmkeep-console': '1' };
  assertProblem(await service.send('GET', CURRENT, { key: null, headers }), 'session-ended');
  assertProblem(await service.send('GET', CURRENT, { key: code }), 'unauthorized');
  const { items } = (await service.expect(200, 'GET', SESSIONS)).json;
  const id = keyIdOf(code);
  assert.ok(!items.some((one: { id: string }) => one.id === id));
  assertProblem(await service.send('DELETE', `${SESSIONS}/${id}`), 'session-not-found');
});

test('wrong, expired and foreign codes are refused', async () => {
  const expired = codeIn(await newLink());
  const where = `WHERE session_id = '${keyIdOf(expired)}'`;
  await service.database.exec(`UPDATE sessions SET expires_at = ${Date.now()} ${where}`);
  const session = (await signIn(service, ROOT_KEY)).sent.headers.cookie.split('=')[1];
  const foreign = codeIn(await newLink('the-root-key-of-another-service-0123456789'));
  for (const code of ['x', generateKey().key, expired, foreign, session]) {
    const reply = await service.send('POST', SESSIONS, { key: null, body: { code } });
    assertProblem(reply, 'code-not-valid');
    assert.equal(reply.headers['set-cookie'], undefined);
  }
  const body = { code: codeIn(await newLink()) };
  assertFaults(await service.send('POST', SESSIONS, { body }), '/code');
  const large = { code: 'x'.repeat(21_000) };
  assertProblem(await service.send('POST', SESSIONS, { key: null, body: large }), 'body-too-large');
});

test('sessions survive a restart, and those of root end when the root key changes', async () => {
  const own = await serviceForTest();
  const acme = await own.realm('acme');
  const [ofRealm, ofRoot] = [await signIn(own, acme.key), await signIn(own, ROOT_KEY)];
  await own.restart();
  await own.expect(200, 'GET', CURRENT, ofRealm.sent);
  await own.expect(200, 'GET', CURRENT, ofRoot.sent);
  await own.down();
  const rootKey = 'another-root-key-0123456789-0123456789-abc';
  const changed = await serviceForTest({ rootKey }, {}, own.database);
  await changed.expect(200, 'GET', CURRENT, ofRealm.sent);
  assertProblem(await changed.send('GET', CURRENT, ofRoot.sent), 'session-ended');
  const { items } = (await changed.expect(200, 'GET', SESSIONS, { key: rootKey })).json;
  assert.deepEqual(items, []);
});

test('over https the cookie is secure and bound to the host', async () => {
  const own = await serviceForTest({ trustedProxies: ['127.0.0.1'] });
  const headers = { 'x-forwarded-proto': 'https' };
  const reply = await own.expect(201, 'POST', SESSIONS, { headers });
  const [cookie = ''] = reply.headers['set-cookie'] ?? [];
  assert.match(cookie, /^__Host-realmkeep=\S+; Path=\/; .*; SameSite=Strict; Secure$/);
  const { key, headers: sent } = bySession(reply);
  await own.expect(200, 'GET', CURRENT, { key, headers: { ...sent, ...headers } });
  // A neighbour could have set one without the prefix.
  const plain = { ...sent, ...headers, cookie: sent.cookie.replace('__Host-', '') };
  assertProblem(await own.send('GET', CURRENT, { key, headers: plain }), 'unauthorized');
  const untrusted = await service.expect(201, 'POST', SESSIONS, { headers });
  assert.match(cookieOf(untrusted), /^realmkeep=/);
});

test('a session shares the rate limit of its key, and wrong ones that of wrong keys', async () => {
  const own = await serviceForTest({ rateLimit: { perSecond: 1, burst: 20 } });
  const acme = await own.realm('acme');
  const { sent } = await signIn(own, acme.key);
  const turns = Array.from({ length: 20 }, () => [
    acme.send('GET', '', sent),
    acme.send('GET', ''),
  ]);
  const shared = await Promise.all(turns.flat());
  const served = shared.filter(({ status }) => status === 200).length;
  // Each second one more; if each had its own, nearly all.
  assert.ok(served >= 15 && served < 30, `${served} of ${shared.length} were served`);
  const wrong = { key: null, body: { code: generateKey().key } };
  const replies = await Promise.all(
    Array.from({ length: 30 }, () => own.send('POST', SESSIONS, wrong)),
  );
  assertProblem(
    replies.find(({ status }) => status === 429) ?? assert.fail('none was refused'),
    'rate-limited',
  );
  // Where the root key is in use, it is not locked out.
  await own.expect(200, 'GET', '/api/v4/realms');
});
