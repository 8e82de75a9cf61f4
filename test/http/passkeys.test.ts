import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALGORITHMS, Authenticator, type Said } from '../support/authenticator.ts';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { type Reply, type Sent, serviceForFile } from '../support/service.ts';
import { acceptInvitation, bySession, CURRENT, SESSIONS } from '../support/sessions.ts';

/** Adding passkeys, and signing in with them. */
const service = await serviceForFile();
const acme = await service.realm('acme');

const PASSKEYS = '/api/v4/passkeys';
const CHALLENGE = `${SESSIONS}/challenge`;

const challenge = async () => (await service.expect(201, 'POST', CHALLENGE, { key: null })).json;

async function person(name: string): Promise<{ id: string; sent: Sent }> {
  const body = { name, role: 'manager' };
  const { json } = await acme.expect(201, 'POST', '/people', { body });
  return { id: json.id, sent: bySession(await acceptInvitation(service, json.invitation)) };
}

async function add(own: Authenticator, sent: Sent, said: Said = {}): Promise<Reply> {
  const body = own.register(await challenge(), said);
  return service.send('POST', PASSKEYS, { ...sent, body });
}

const signIn = (assertion: object): Promise<Reply> =>
  service.send('POST', SESSIONS, { key: null, body: { assertion } });

test('a challenge says where passkeys belong', async () => {
  const { rpId, origin, expiresAt } = await challenge();
  assert.equal(rpId, 'localhost');
  assert.equal(origin, `http://localhost:${new URL(service.url).port}`);
  assert.ok(Date.parse(expiresAt) - Date.now() > 290_000);
});

test('a passkey of each algorithm signs its person in', async () => {
  for (const algorithm of ALGORITHMS) {
    const [own, { id, sent }] = [new Authenticator(algorithm), await person(algorithm)];
    const added = await add(own, {
      ...sent,
      headers: { ...sent.headers, 'user-agent': 'A phone' },
    });
    assert.equal(added.status, 201, added.text);
    assert.deepEqual([added.json.userAgent, added.json.lastUsedAt], ['A phone', null]);
    const reply = await signIn(own.assert(await challenge()));
    assert.deepEqual(reply.json.person, { id, name: algorithm, role: 'manager' });
    await service.expect(200, 'GET', CURRENT, bySession(reply));
    const [{ lastUsedAt }] = (await service.expect(200, 'GET', PASSKEYS, sent)).json.items;
    assert.ok(Math.abs(Date.parse(lastUsedAt) - Date.now()) < 60_000);
  }
});

test('a challenge is answered once, in time, and only if it was issued', async () => {
  const [own, { sent }] = [new Authenticator(), await person('Ann')];
  assert.equal((await add(own, sent)).status, 201);
  const asked = await challenge();
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(own.assert(asked))));
  const statuses = replies.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(7).fill(401)]);
  // Not even after the session is over that it was exchanged for.
  const [first] = replies.filter(({ status }) => status === 201);
  assert.ok(first);
  await service.expect(204, 'DELETE', `${SESSIONS}/${first.json.id}`, bySession(first));
  assertProblem(await signIn(own.assert(asked)), 'passkey-not-valid');
  const used = { ...sent, body: new Authenticator().register(asked) };
  assertFaults(await service.send('POST', PASSKEYS, used), '/attestationObject');

  const forged = { ...asked, challenge: Buffer.alloc(38, 7).toString('base64url') };
  assertProblem(await signIn(own.assert(forged)), 'passkey-not-valid');
  const late = Buffer.from((await challenge()).challenge, 'base64url');
  late.writeUIntBE(Date.now() + 86_400_000, 0, 6);
  const stretched = { ...asked, challenge: late.toString('base64url') };
  assertProblem(await signIn(own.assert(stretched)), 'passkey-not-valid');
});

test('a challenge ends after five minutes', async (t) => {
  const [own, { sent }] = [new Authenticator(), await person('Bea')];
  assert.equal((await add(own, sent)).status, 201);
  const asked = await challenge();
  const now = Date.now();
  t.mock.method(Date, 'now', () => now + 5 * 60_000);
  assertProblem(await signIn(own.assert(asked)), 'passkey-not-valid');
});

test('what is wrong with an assertion is refused and changes nothing', async () => {
  const [own, { sent }] = [new Authenticator(), await person('Cas')];
  assert.equal((await add(own, sent, { counter: 5 })).status, 201);
  const wrong: Said[] = [
    { origin: 'https://evil.example' },
    { host: 'evil.example' },
    { flags: 0x04 },
    { type: 'webauthn.create' },
    { by: new Authenticator().privateKey },
    { counter: 5 },
    { counter: 4 },
  ];
  for (const said of wrong) {
    const reply = await signIn(own.assert(await challenge(), { counter: 6, ...said }));
    assertProblem(reply, 'passkey-not-valid');
    assert.equal(reply.headers['set-cookie'], undefined);
  }
  assertProblem(await signIn(new Authenticator().assert(await challenge())), 'passkey-not-valid');
  assert.equal((await signIn(own.assert(await challenge(), { counter: 6 }))).status, 201);
  assertProblem(await signIn(own.assert(await challenge(), { counter: 6 })), 'passkey-not-valid');
  const both = { assertion: own.assert(await challenge()), code: 'x' };
  assertFaults(await service.send('POST', SESSIONS, { key: null, body: both }), '/code');
  const withKey = { assertion: own.assert(await challenge()) };
  assertFaults(await service.send('POST', SESSIONS, { body: withKey }), '/assertion');
});

test('what is wrong with a new passkey is a fault of the request', async () => {
  const { sent } = await person('Dan');
  const own = new Authenticator();
  for (const said of [{ origin: 'https://evil.example' }, { host: 'x' }, { flags: 0x44 }]) {
    assertFaults(await add(own, sent, said), '/attestationObject');
  }
  assert.equal((await add(own, sent)).status, 201);
  assertFaults(await add(own, sent), '/attestationObject');
  assertProblem(await add(new Authenticator(), {}), 'person-required');
});

test('the last passkey stays, and those of others are not touched', async () => {
  const [eve, fay] = [await person('Eve'), await person('Fay')];
  const [one, two] = [new Authenticator(), new Authenticator()];
  for (const own of [one, two]) assert.equal((await add(own, eve.sent)).status, 201);
  const pathOf = (own: Authenticator) => `${PASSKEYS}/${own.id.toString('base64url')}`;
  const foreign = await service.send('DELETE', pathOf(one), fay.sent);
  assertProblem(foreign, 'passkey-not-found');
  const replies = await Promise.all(
    [one, two].map((own) => service.send('DELETE', pathOf(own), eve.sent)),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 422]);
  const last = replies[0]?.status === 204 ? two : one;
  assertProblem(await service.send('DELETE', pathOf(last), eve.sent), 'last-passkey');
  assert.equal((await signIn(last.assert(await challenge()))).status, 201);
});

test('who was removed signs in no more', async () => {
  const [own, gus] = [new Authenticator(), await person('Gus')];
  assert.equal((await add(own, gus.sent)).status, 201);
  await acme.expect(204, 'DELETE', `/people/${gus.id}`);
  assertProblem(await signIn(own.assert(await challenge())), 'passkey-not-valid');
});
