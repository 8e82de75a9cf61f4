import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import { type Reply, serviceForFile, type TestRealm } from '../support/service.ts';
import { evmSigner, signers } from '../support/signers.ts';

/** The links by which members prove wallets without a key. */
const service = await serviceForFile();

const OPEN = '/api/v4/wallet-links/open';
const REDEEM = '/api/v4/wallet-links/redeem';

async function realmOf(id: string, settings: object = {}): Promise<TestRealm> {
  const realm = await service.realm(id, settings);
  await realm.member('42', 0, { displayName: 'Alice' });
  return realm;
}

const eventsOf = async (realm: TestRealm) =>
  (await realm.expect(200, 'GET', '/events?limit=500')).json.items;

const post = (path: string, body: object): Promise<Reply> =>
  service.send('POST', path, { key: null, body });

async function linkIn(realm: TestRealm, memberId = '42'): Promise<string> {
  const { json } = await realm.expect(201, 'POST', `/members/${memberId}/wallet-link`);
  return new URL(json.url).hash.slice(1);
}

/** The body that redeems the link with a new wallet. */
async function signedFor(code: string, { address, sign } = evmSigner()) {
  const { json } = await service.expect(200, 'POST', OPEN, { key: null, body: { code, address } });
  return { code, address, message: json.message, signature: sign(json.message) };
}

for (const [name, signer] of Object.entries(signers)) {
  test(`${name}: who has the link proves a wallet, and the link is used up`, async () => {
    const realm = await realmOf(`of-${name.replaceAll(' ', '-')}`, {
      siteUrl: 'https://elsewhere.example',
    });
    const { json: link } = await realm.expect(201, 'POST', '/members/42/wallet-link');
    assert.match(link.url, /^http:\/\/localhost:\d+\/link#rk_\w+$/);
    const minutes = (Date.parse(link.expiresAt) - Date.now()) / 60_000;
    assert.ok(minutes > 14.5 && minutes <= 15, link.expiresAt);
    const code = new URL(link.url).hash.slice(1);
    const { json: opened } = await post(OPEN, { code });
    const { expiresAt } = link;
    const shown = { realmName: realm.id, memberName: 'Alice', expiresAt, message: null };
    assert.deepEqual(opened, shown);
    const signed = await signedFor(code, signer());
    assert.ok(signed.message.startsWith(new URL(link.url).host), 'the site where it is signed');
    const linked = await post(REDEEM, signed);
    assert.equal(linked.status, 201, linked.text);
    assert.deepEqual([linked.json.verified, linked.json.primary], [true, true]);
    const { wallets } = (await realm.expect(200, 'GET', '/web3/members/42')).json;
    assert.deepEqual(wallets, [linked.json]);
    const [record] = (await eventsOf(realm)).slice(-1);
    assert.deepEqual([record.type, record.actor], ['wallet.verified', 'service']);
    for (const reply of [await post(OPEN, { code }), await post(REDEEM, signed)]) {
      assertProblem(reply, 'code-not-valid');
    }
  });
}

test('a hundred who redeem a link at once link one wallet', async () => {
  const realm = await realmOf('crowd');
  const code = await linkIn(realm);
  const signed = await Promise.all(Array.from({ length: 20 }, () => signedFor(code)));
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) => post(REDEEM, signed[index % 20] ?? {})),
  );
  const statuses = replies.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1, String(statuses));
  assert.ok(statuses.every((status) => [201, 401, 429].includes(status)));
  const { wallets } = (await realm.expect(200, 'GET', '/web3/members/42')).json;
  assert.equal(wallets.length, 1);
});

test('what is asked for one member is bounded, and others do not notice', async () => {
  const realm = await realmOf('busy');
  await realm.member('43');
  const code = await linkIn(realm);
  for (const ask of [
    () => post(OPEN, { code }),
    () => realm.send('POST', '/members/42/wallet-link'),
  ]) {
    const replies = await Promise.all(Array.from({ length: 50 }, ask));
    const [refused, ...others] = replies.filter(({ status }) => status === 429);
    assert.ok(others.length > 10, String(others.length));
    assert.match(refused?.json.detail, /Too many requests for one member\. Try again/);
  }
  assert.equal((await post(OPEN, { code: await linkIn(realm, '43') })).status, 200);
});

test('a refusal does not use the link up', async () => {
  const realm = await realmOf('refused');
  await realm.member('43');
  const taken = evmSigner();
  await realm.expect(201, 'POST', '/members/43/wallets', { body: { address: taken.address } });
  const code = await linkIn(realm);
  const [signed, other] = [await signedFor(code), await signedFor(code)];
  await changesNothing(realm, async () => {
    const refused = await post(OPEN, { code, address: taken.address });
    assertProblem(refused, 'wallet-taken');
    // It does not say whose.
    assert.equal(refused.json.memberId, undefined);
    assert.match(refused.json.detail, /belongs to another member\.$/);
    const forged = { ...signed, signature: other.signature };
    assertProblem(await post(REDEEM, forged), 'signature-invalid');
    assertProblem(await post(REDEEM, { ...signed, message: 'none' }), 'challenge-not-found');
    assertFaults(await post(REDEEM, { ...signed, address: 'none' }), '/address');
    assertFaults(await post(OPEN, { code, address: '0x00' }), '/address');
  });
  assert.equal((await post(REDEEM, signed)).status, 201);
});

test('a link is over after its time, and when there is a newer one', async () => {
  const realm = await realmOf('over');
  await realm.member('43');
  const [first, other] = [await linkIn(realm), await linkIn(realm, '43')];
  const second = await linkIn(realm);
  assertProblem(await post(OPEN, { code: first }), 'code-not-valid');
  assert.equal((await post(OPEN, { code: other })).status, 200, 'that of another member stays');
  await service.database.exec("UPDATE sessions SET expires_at = 1 WHERE key_id = 'wallet:over/42'");
  assertProblem(await post(OPEN, { code: second }), 'code-not-valid');
  await realm.expect(204, 'DELETE', '/members/43');
  assertProblem(await post(OPEN, { code: other }), 'code-not-valid');
});

test('a signature may be as long as that of a call with a key', async () => {
  const signed = await signedFor(await linkIn(await realmOf('long')));
  const signature = `0x${'ab'.repeat(8_191)}`;
  assertProblem(await post(REDEEM, { ...signed, signature }), 'signature-invalid');
  assertProblem(await post(REDEEM, { ...signed, signature: `${signature}00` }), 'invalid-request');
  assert.equal((await post(REDEEM, signed)).status, 201);
});

test('the code of a link signs nobody in, and no other code links a wallet', async () => {
  const realm = await realmOf('apart');
  const code = await linkIn(realm);
  assertProblem(await post('/api/v4/sessions', { code }), 'code-not-valid');
  assertProblem(await service.send('GET', realm.path(''), { key: code }), 'unauthorized');
  const signIn = new URL(await service.consoleLink()).hash.slice('#code='.length);
  assertProblem(await post(OPEN, { code: signIn }), 'code-not-valid');
  assertProblem(await post(OPEN, { code: realm.key }), 'code-not-valid');
});

test('the database has no code, and a retry shows none', async () => {
  const realm = await realmOf('stored');
  const headers = { 'idempotency-key': 'link' };
  const ask = () => realm.expect(201, 'POST', '/members/42/wallet-link', { headers });
  const { url } = (await ask()).json;
  assert.equal((await ask()).json.url, null);
  const rows = await service.database.rows('SELECT * FROM sessions');
  const secret = new URL(url).hash.slice(-38, -6);
  assert.ok(!JSON.stringify(rows).includes(secret));
});
