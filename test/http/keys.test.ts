import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/checks.ts';
import { keyIdOf } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, type TestRealm } from '../support/service.ts';

/** API keys from issue to revocation. */
const service = await serviceForFile();

const works = async (realm: TestRealm, key: string): Promise<boolean> => {
  const reply = await realm.send('GET', '', { key });
  if (reply.status !== 200) assertProblem(reply, 'unauthorized');
  return reply.status === 200;
};
const list = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/keys?limit=500', { key: ROOT_KEY })).json.items;
const rotate = (realm: TestRealm, key: string, body?: object) =>
  realm.expect(201, 'POST', `/keys/${keyIdOf(key)}/rotate`, { body });

test('write implies read, and admin implies both', async () => {
  const realm = await service.realm('scopes');
  await realm.member('1', 100);
  const calls = {
    read: (key: string) => realm.send('GET', '/members/1', { key }),
    write: (key: string) =>
      realm.send('PATCH', '/members/1/tokenBalance', { key, body: { tokens: -1 } }),
    admin: (key: string) => realm.send('GET', '/keys', { key }),
  };
  const cases: [scopes: string[], may: string[]][] = [
    [['read'], ['read']],
    [['write'], ['read', 'write']],
    [['admin'], ['read', 'write', 'admin']],
    [
      ['read', 'write'],
      ['read', 'write'],
    ],
    [
      ['admin', 'read'],
      ['read', 'write', 'admin'],
    ],
  ];
  for (const [scopes, may] of cases) {
    const key = await realm.issueKey(scopes);
    for (const [scope, call] of Object.entries(calls)) {
      const reply = await call(key);
      if (may.includes(scope)) assert.equal(reply.status, 200, `${scopes} ${scope}`);
      else assertProblem(reply, 'insufficient-scope', { required: scope });
    }
    assertProblem(await service.send('GET', '/api/v4/realms', { key }), 'insufficient-scope');
  }
});

test('a key is shown once; the list has it without its secret', async () => {
  const realm = await service.realm('shown');
  const expiresAt = '2999-01-31T00:00:00.000Z';
  const body = { name: 'shop bot', scopes: ['read', 'write'], expiresAt };
  const { json, text } = await realm.expect(201, 'POST', '/keys', { body });
  assert.match(json.key, /^rk_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
  assert.equal(keyIdOf(json.key), json.id);
  assert.equal(text.split(json.key.slice(16)).length, 2);
  const { key, ...shown } = json;
  assert.deepEqual(shown, { ...shown, ...body, lastUsedAt: null });
  assert.deepEqual(
    (await list(realm)).find((item: { id: string }) => item.id === json.id),
    shown,
  );
  const reply = await realm.expect(200, 'GET', '/keys');
  assert.doesNotMatch(reply.text, /secret|hash|"key"|revoked|replaced/i);
  assert.ok(!reply.text.includes(key.slice(16, 48)));
});

test('a key is valid until its expiry', async () => {
  const realm = await service.realm('expiry');
  const end = Date.now() + 1_200;
  const key = await realm.issueKey(['read'], { expiresAt: new Date(end).toISOString() });
  const lasting = await realm.issueKey(['read'], { expiresAt: null });
  assert.ok((await works(realm, key)) || Date.now() >= end);
  await new Promise((resolve) => setTimeout(resolve, end - Date.now()));
  // Used a moment ago and so cached, but the expiry still applies.
  assert.equal(await works(realm, key), false);
  assert.equal(await works(realm, lasting), true);
  const reply = await realm.send('GET', '', { key });
  assert.match(reply.json.detail, /expired/);
  assert.ok((await list(realm)).some((item: { id: string }) => item.id === keyIdOf(key)));
});

test('a revoked key is rejected at once and no longer listed', async () => {
  const realm = await service.realm('revoked');
  const key = await realm.issueKey(['read']);
  for (let count = 0; count < 3; count++) assert.equal(await works(realm, key), true);
  await realm.expect(204, 'DELETE', `/keys/${keyIdOf(key)}`);
  assert.equal(await works(realm, key), false);
  assert.ok(!(await list(realm)).some((item: { id: string }) => item.id === keyIdOf(key)));
  assertProblem(await realm.send('DELETE', `/keys/${keyIdOf(key)}`), 'key-not-found');
  assertProblem(await realm.send('POST', `/keys/${keyIdOf(key)}/rotate`), 'key-not-found');
  // A key can revoke itself, and is invalid afterwards.
  const own = await realm.issueKey(['admin']);
  await realm.expect(204, 'DELETE', `/keys/${keyIdOf(own)}`, { key: own });
  assert.equal(await works(realm, own), false);
});

test('no request succeeds after its key is revoked', async () => {
  const realm = await service.realm('revoked-in-use');
  for (let round = 0; round < 5; round++) {
    const key = await realm.issueKey(['read']);
    const use = () => realm.send('GET', '', { key });
    const before = Array.from({ length: 30 }, use);
    const revoked = realm.expect(204, 'DELETE', `/keys/${keyIdOf(key)}`);
    await revoked;
    assert.equal((await use()).status, 401);
    for (const { status } of await Promise.all(before)) assert.ok(status === 200 || status === 401);
    assert.equal((await use()).status, 401);
  }
});

test('rotation without overlap revokes the old key at once', async () => {
  const realm = await service.realm('rotated');
  const old = await realm.issueKey(['write']);
  assert.equal(await works(realm, old), true);
  const { json } = await rotate(realm, old, { overlapSeconds: 0 });
  assert.equal(await works(realm, old), false);
  assert.equal(await works(realm, json.key), true);
  assert.deepEqual([json.name, json.scopes, json.expiresAt], ['test', ['write'], null]);
  assert.notEqual(json.id, keyIdOf(old));
});

test('rotation with overlap keeps both keys valid, and an earlier expiry', async () => {
  const realm = await service.realm('overlap');
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const old = await realm.issueKey(['read'], { expiresAt });
  const { json } = await rotate(realm, old, { overlapSeconds: 600 });
  assert.equal(json.expiresAt, expiresAt);
  assert.deepEqual([await works(realm, old), await works(realm, json.key)], [true, true]);
  const kept = (await list(realm)).find((item: { id: string }) => item.id === keyIdOf(old));
  assert.ok(Math.abs(Date.parse(kept.expiresAt) - Date.now() - 600_000) < 60_000);
  // An overlap never extends a key's expiry.
  const short = await realm.issueKey(['read'], {
    expiresAt: new Date(Date.now() + 5_000).toISOString(),
  });
  await rotate(realm, short);
  const [ended] = (await list(realm)).filter((item: { id: string }) => item.id === keyIdOf(short));
  assert.ok(Date.parse(ended.expiresAt) < Date.now() + 6_000);
  const brief = await realm.issueKey(['read']);
  await rotate(realm, brief, { overlapSeconds: 1 });
  assert.equal(await works(realm, brief), true);
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  assert.equal(await works(realm, brief), false);
});

test('a key can be rotated and revoked only in its own realm', async () => {
  const realm = await service.realm('mine');
  const other = await service.realm('theirs');
  const key = keyIdOf(other.key);
  assertProblem(await realm.send('DELETE', `/keys/${key}`), 'key-not-found');
  assertProblem(await realm.send('POST', `/keys/${key}/rotate`), 'key-not-found');
  const root = await service.send('DELETE', realm.path(`/keys/${key}`));
  assertProblem(root, 'key-not-found');
  assert.equal(await works(other, other.key), true);
});

test('the last use of a key survives a restart', async () => {
  const realm = await service.realm('used');
  const used = await realm.issueKey(['read']);
  const idle = await realm.issueKey(['read']);
  const from = Date.now();
  assert.equal(await works(realm, used), true);
  await service.restart();
  const items: { id: string; lastUsedAt: string | null }[] = await list(realm);
  const lastUse = (key: string) => items.find((item) => item.id === keyIdOf(key))?.lastUsedAt;
  assert.equal(lastUse(idle), null);
  const at = Date.parse(lastUse(used) ?? '');
  assert.ok(at >= from && at <= Date.now());
  assert.equal(await works(realm, used), true);
});

test('no secret is written to the database or the log', async () => {
  const realm = await service.realm('secrets');
  const first = await realm.issueKey(['admin']);
  const headers = { 'idempotency-key': 'k' };
  const body = { name: 'again', scopes: ['read'] };
  const second: string = (await realm.expect(201, 'POST', '/keys', { body, headers })).json.key;
  await realm.expect(201, 'POST', '/keys', { body, headers });
  const third: string = (await rotate(realm, second)).json.key;
  for (const key of [first, second, third]) await realm.send('GET', '/members/1', { key });
  await realm.send('GET', `/members/1?key=${third}`, { key: `${third}x` });
  await service.down();
  const contents = await service.database.contents();
  assert.ok(contents.includes(keyIdOf(first)));
  for (const key of [ROOT_KEY, first, second, third]) {
    const secret = key.startsWith('rk_') ? key.slice(16, 48) : key;
    assert.ok(!contents.includes(secret));
    for (const line of service.logs) assert.ok(!line.includes(secret), line);
  }
  await service.up();
});
