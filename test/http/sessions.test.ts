import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKey } from '../../src/domain/key-format.ts';
import { assertProblem } from '../support/checks.ts';
import { keyIdOf } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, serviceForTest } from '../support/service.ts';
import { bySession, CURRENT, cookieOf, SESSIONS, signIn } from '../support/sessions.ts';

const service = await serviceForFile();
const realm = await service.realm('acme');
await realm.member('42', 100);

test('a key is exchanged for a cookie that scripts cannot read', async () => {
  const reply = await service.expect(201, 'POST', SESSIONS, {
    key: realm.key,
    headers: { 'user-agent': 'A browser' },
  });
  const [cookie = '', ...others] = reply.headers['set-cookie'] ?? [];
  assert.match(
    cookie,
    /^realmkeep=rk_\w{12}_\w{38}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  assert.deepEqual(others, []);
  assert.ok(!reply.text.includes(realm.key) && !reply.text.includes(cookie.slice(10, 40)));
  const { id, expiresAt, ...rest } = reply.json;
  assert.deepEqual(rest, {
    isRoot: false,
    person: null,
    realmId: 'acme',
    scopes: ['read', 'write', 'admin'],
    keyId: keyIdOf(realm.key),
    keyName: 'test',
  });
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  assert.ok(days > 6.99 && days <= 7, expiresAt);
  const current = await service.expect(200, 'GET', CURRENT, bySession(reply));
  assert.deepEqual(current.json, reply.json);
  const { items } = (await service.expect(200, 'GET', SESSIONS, bySession(reply))).json;
  assert.deepEqual(
    items.map((one: { isCurrent: boolean }) => one.isCurrent),
    [true],
  );
  assert.equal(items[0].id, id);
  assert.equal(items[0].userAgent, 'A browser');
});

test('a session may do what its key may, and the journal names both', async () => {
  const { id, sent } = await signIn(service, await realm.issueKey(['write']));
  const { keyId } = (await service.expect(200, 'GET', CURRENT, sent)).json;
  const body = { tokens: 5 };
  const added = await realm.expect(200, 'PATCH', '/members/42/tokenBalance', { ...sent, body });
  const { transactionId } = added.json;
  const record = await realm.expect(200, 'GET', `/transactions/${transactionId}`);
  assert.equal(record.json.actor, `key:${keyId}/session:${id}`);
  assertProblem(await realm.send('GET', '/keys', sent), 'insufficient-scope');
  await service.realm('other');
  assertProblem(await service.send('GET', '/api/v4/realms/other', sent), 'forbidden');
});

test('a root session may do everything', async () => {
  const { id, sent, current } = await signIn(service, ROOT_KEY);
  assert.deepEqual(
    { ...current, expiresAt: null },
    {
      id,
      isRoot: true,
      person: null,
      realmId: null,
      scopes: ['read', 'write', 'admin'],
      keyId: null,
      keyName: null,
      expiresAt: null,
    },
  );
  await service.expect(200, 'GET', '/api/v4/realms', sent);
  const body = { id: 'by-root', name: 'By root' };
  await service.expect(201, 'POST', '/api/v4/realms', { ...sent, body });
  const { items } = (await service.expect(200, 'GET', '/api/v4/realms/by-root/events', sent)).json;
  assert.equal(items[0].actor, `root/session:${id}`);
});

test('without the header of the console, a cookie is refused', async () => {
  const { sent } = await signIn(service, realm.key);
  const { cookie } = sent.headers;
  for (const headers of [{ cookie }, { cookie, 'x-realmkeep-console': '0' }]) {
    assertProblem(await realm.send('GET', '', { key: null, headers }), 'console-header-missing');
  }
});

test('a key in the header counts, whatever the cookie', async () => {
  const { sent } = await signIn(service, ROOT_KEY);
  const other = await service.realm('header-counts');
  const { headers } = sent;
  assertProblem(await realm.send('GET', '', { key: other.key, headers }), 'forbidden');
  assertProblem(await realm.send('GET', '', { key: 'rubbish', headers }), 'unauthorized');
  const current = await service.expect(200, 'GET', CURRENT, { key: realm.key, headers });
  assert.deepEqual([current.json.id, current.json.realmId], [null, 'acme']);
});

test('a session cannot sign in, and its secret is no key', async () => {
  const { sent } = await signIn(service, realm.key);
  assertProblem(await service.send('POST', SESSIONS, sent), 'unauthorized');
  const token = sent.headers.cookie.split('=')[1] ?? '';
  assertProblem(await realm.send('GET', '', { key: token }), 'unauthorized');
});

test('every sign-in is a new session, whatever cookie it comes with', async () => {
  const { id, sent } = await signIn(service, realm.key);
  const { headers } = sent;
  const again = await service.expect(201, 'POST', SESSIONS, { key: realm.key, headers });
  assert.notEqual(again.json.id, id);
  assert.notEqual(cookieOf(again), headers.cookie);
});

test('wrong cookies are refused and cleared', async () => {
  const { sent } = await signIn(service, realm.key);
  const { cookie } = sent.headers;
  const wrong = [`${cookie.slice(0, -1)}?`, `realmkeep=${generateKey().key}`, 'realmkeep='];
  for (const one of [...wrong, 'realmkeep=x; theme=dark', `theme=dark; realmkeep="${cookie}"`]) {
    const headers = { ...sent.headers, cookie: one };
    const reply = await realm.send('GET', '', { key: null, headers });
    assertProblem(reply, 'session-ended');
    assert.match(reply.headers['set-cookie']?.[0] ?? '', /^realmkeep=; Path=\/; Max-Age=0; /);
  }
  // Which of two is meant is not guessed, and one of another name is not ours.
  for (const one of [`${cookie}; ${cookie}`, 'theme=dark', cookie.replace('realm', 'xrealm')]) {
    const headers = { ...sent.headers, cookie: one };
    assertProblem(await realm.send('GET', '', { key: null, headers }), 'unauthorized');
  }
  const headers = { ...sent.headers, cookie: `theme=dark; ${cookie};lang=en` };
  await realm.expect(200, 'GET', '', { key: null, headers });
});

test('signing out ends the session and clears the cookie', async () => {
  const { id, sent } = await signIn(service, realm.key);
  const reply = await service.expect(204, 'DELETE', `${SESSIONS}/${id}`, sent);
  assert.match(reply.headers['set-cookie']?.[0] ?? '', /^realmkeep=; Path=\/; Max-Age=0; /);
  assertProblem(await realm.send('GET', '', sent), 'session-ended');
  const again = await service.send('DELETE', `${SESSIONS}/${id}`, { key: realm.key });
  assertProblem(again, 'session-not-found', { sessionId: id });
});

test('sessions of the same key can be listed and ended, others only by root', async () => {
  const key = await realm.issueKey(['read']);
  const [mine, second, foreign] = [
    await signIn(service, key),
    await signIn(service, key),
    await signIn(service, realm.key),
  ];
  const { items } = (await service.expect(200, 'GET', SESSIONS, mine.sent)).json;
  const listed = items.map(({ id, isCurrent }: { id: string; isCurrent: boolean }) => [
    id,
    isCurrent,
  ]);
  assert.deepEqual(Object.fromEntries(listed), { [second.id]: false, [mine.id]: true });
  const path = `${SESSIONS}/${foreign.id}`;
  assertProblem(await service.send('DELETE', path, mine.sent), 'session-not-found');
  const ended = await service.expect(204, 'DELETE', `${SESSIONS}/${second.id}`, mine.sent);
  assert.equal(ended.headers['set-cookie'], undefined);
  assertProblem(await realm.send('GET', '', second.sent), 'session-ended');
  await realm.expect(200, 'GET', '', mine.sent);
  await service.expect(204, 'DELETE', path);
  assertProblem(await realm.send('GET', '', foreign.sent), 'session-ended');
});

test('a session ends with its key', async () => {
  const revoked = await realm.issueKey(['read']);
  const rotated = await realm.issueKey(['read']);
  const [one, two] = [await signIn(service, revoked), await signIn(service, rotated)];
  await realm.expect(200, 'GET', '', one.sent);
  await realm.expect(204, 'DELETE', `/keys/${keyIdOf(revoked)}`);
  assertProblem(await realm.send('GET', '', one.sent), 'session-ended');
  const body = { overlapSeconds: 0 };
  await realm.expect(201, 'POST', `/keys/${keyIdOf(rotated)}/rotate`, { body });
  assertProblem(await realm.send('GET', '', two.sent), 'session-ended');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const expiring = await signIn(service, await realm.issueKey(['read'], { expiresAt }));
  assert.equal(expiring.current.expiresAt, expiresAt);
});

test('a session ends with its realm', async () => {
  const gone = await service.realm('gone');
  const { sent } = await signIn(service, gone.key);
  await service.expect(204, 'DELETE', '/api/v4/realms/gone?confirm=gone');
  assertProblem(await service.send('GET', CURRENT, sent), 'session-ended');
});

test('an idle session ends, and one that is too old', async () => {
  const [idle, old, used] = [
    await signIn(service, realm.key),
    await signIn(service, realm.key),
    await signIn(service, realm.key),
  ];
  const before = Date.now() - 13 * 3_600_000;
  const change = (column: string, at: number, id: string) =>
    service.database.exec(`UPDATE sessions SET ${column} = ${at} WHERE session_id = '${id}'`);
  await change('last_used_at', before, idle.id);
  await change('expires_at', Date.now() - 1, old.id);
  await change('created_at', before, used.id);
  assertProblem(await realm.send('GET', '', idle.sent), 'session-ended');
  assertProblem(await realm.send('GET', '', old.sent), 'session-ended');
  await realm.expect(200, 'GET', '', used.sent);
  const { items } = (await service.expect(200, 'GET', SESSIONS, used.sent)).json;
  const ids = items.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes(used.id) && !ids.includes(idle.id) && !ids.includes(old.id));
});

test('what the page calls by itself is no use of the session and its key', async () => {
  const own = await serviceForTest();
  const acme = await own.realm('acme');
  const key = await acme.issueKey(['read']);
  const { id, sent } = await signIn(own, key);
  /** As the service stores them when it stops. */
  const lastUses = async (): Promise<number[]> => {
    await own.restart();
    const sessions = `SELECT last_used_at AS at FROM sessions WHERE session_id = '${id}'`;
    const keys = `SELECT last_used_at AS at FROM api_keys WHERE key_id = '${keyIdOf(key)}'`;
    const rows = [await own.database.rows(sessions), await own.database.rows(keys)].flat();
    return rows.map(({ at }) => Number(at));
  };
  const signedInAt = Date.now();
  const headers = { ...sent.headers, 'x-realmkeep-console': 'unattended' };
  while (Date.now() < signedInAt + 10) await acme.expect(200, 'GET', '', { key: null, headers });
  for (const at of await lastUses()) assert.ok(at <= signedInAt);
  const usedAt = Date.now();
  await acme.expect(200, 'GET', '', sent);
  for (const at of await lastUses()) assert.ok(at >= usedAt);
});

test('a key has at most 100 sessions', async () => {
  const key = await realm.issueKey(['read']);
  const first = await signIn(service, key);
  for (let count = 1; count <= 100; count++) await signIn(service, key);
  const { items } = (await service.expect(200, 'GET', SESSIONS, { key })).json;
  assert.equal(items.length, 100);
  assertProblem(await realm.send('GET', '', first.sent), 'session-ended');
});
