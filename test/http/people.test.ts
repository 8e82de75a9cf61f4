import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { ROOT_KEY, type Sent, serviceForFile, TestService } from '../support/service.ts';
import { acceptInvitation, bySession, CURRENT, SESSIONS } from '../support/sessions.ts';

/** Who may sign in, by invitation, with which rights, and until when. */
const service = await serviceForFile();
const acme = await service.realm('acme');
await acme.member('42', 100);
const other = await service.realm('other');

const PEOPLE = '/api/v4/people';
const codeIn = (link: string) => ({ key: null, body: { code: link.split('#code=')[1] } });

/** A person of acme who has accepted the invitation. */
async function joined(role: string, name = role) {
  const { json } = await acme.expect(201, 'POST', '/people', { body: { name, role } });
  const reply = await acceptInvitation(service, json.invitation);
  return {
    id: String(json.id),
    invitation: String(json.invitation),
    sent: bySession(reply),
    reply,
  };
}

/** The status of a read, a write, and something that only admins may. */
async function rights(sent: Sent, path = acme.path('')): Promise<number[]> {
  const body = { tokens: 1 };
  const replies = [
    await service.send('GET', `${path}/members/42`, sent),
    await service.send('PATCH', `${path}/members/42/tokenBalance`, { ...sent, body }),
    await service.send('GET', `${path}/keys`, sent),
    await service.send('GET', '/api/v4/realms', sent),
  ];
  return replies.map(({ status }) => status);
}

test('an invitation signs in once, as the person, with the rights of its role', async () => {
  const expected = { viewer: [200, 403, 403, 403], manager: [200, 200, 403, 403] };
  for (const [role, statuses] of Object.entries({ ...expected, admin: [200, 200, 200, 403] })) {
    const person = await joined(role, `A ${role}`);
    assert.deepEqual(person.reply.json.person, { id: person.id, name: `A ${role}`, role });
    const { isRoot, realmId, keyId, keyName } = person.reply.json;
    assert.deepEqual([isRoot, realmId, keyId, keyName], [false, 'acme', null, null]);
    assert.deepEqual(await rights(person.sent), statuses, role);
    assertProblem(await service.send('GET', other.path(''), person.sent), 'forbidden');
    assertProblem(
      await service.send('POST', SESSIONS, codeIn(person.invitation)),
      'code-not-valid',
    );
  }
});

test('an owner may do everything in every realm', async () => {
  const { json } = await service.expect(201, 'POST', PEOPLE, { body: { name: 'Olive' } });
  assert.deepEqual([json.role, json.lastSeenAt], ['owner', null]);
  const reply = await acceptInvitation(service, json.invitation);
  const { isRoot, realmId, person } = reply.json;
  assert.deepEqual([isRoot, realmId], [true, null]);
  assert.deepEqual(person, { id: json.id, name: 'Olive', role: 'owner' });
  assert.deepEqual(await rights(bySession(reply)), [200, 200, 200, 200]);
  await service.expect(200, 'GET', PEOPLE, bySession(reply));
  await service.expect(201, 'POST', other.path('/keys'), {
    ...bySession(reply),
    body: { name: 'x', scopes: ['read'] },
  });
});

test('the actor of a change is the person, whose name stays until it is erased', async () => {
  const ann = await joined('manager', 'Ann');
  const body = { tokens: 5 };
  const done = await acme.expect(200, 'PATCH', '/members/42/tokenBalance', { ...ann.sent, body });
  const { transactionId } = done.json;
  const { actor } = (await acme.expect(200, 'GET', `/transactions/${transactionId}`)).json;
  assert.equal(actor, `person:${ann.id}`);
  const named = async () => (await acme.expect(200, 'GET', `/people?ids=${ann.id}`)).json.items[0];
  assert.equal((await named()).name, 'Ann');
  await acme.expect(204, 'DELETE', `/people/${ann.id}`);
  const { name, removedAt } = await named();
  assert.ok(name === 'Ann' && removedAt !== null);
  const all = (await acme.expect(200, 'GET', '/people?limit=500')).json.items;
  assert.ok(!all.some(({ id }: { id: string }) => id === ann.id));
  assertProblem(await acme.send('DELETE', `/people/${ann.id}`), 'person-not-found');
  await acme.expect(204, 'DELETE', `/people/${ann.id}?erase=true`);
  assert.equal((await named()).name, null);
  const { items } = (await acme.expect(200, 'GET', '/events?limit=500')).json;
  const mine = items.filter(
    ({ data }: { data: { personId?: string } }) => data.personId === ann.id,
  );
  assert.deepEqual(
    mine.map(({ type, data }: { type: string; data: object }) => [type, 'name' in data]),
    [
      ['person.invited', false],
      ['person.removed', false],
      ['person.erased', false],
    ],
  );
  assert.ok(mine[0].data.erased);
  assert.equal((await acme.expect(200, 'GET', '/verify')).json.ok, true);
});

test('a new role and a removal count at once, and end what the person has open', async () => {
  const bob = await joined('admin', 'Bob');
  await acme.expect(200, 'PATCH', `/people/${bob.id}`, { body: { role: 'viewer' } });
  assert.deepEqual(await rights(bob.sent), [200, 403, 403, 403]);
  const again = (await acme.expect(201, 'POST', `/people/${bob.id}/invitation`)).json;
  await acme.expect(204, 'DELETE', `/people/${bob.id}`);
  assertProblem(await service.send('GET', CURRENT, bob.sent), 'session-ended');
  assertProblem(await service.send('POST', SESSIONS, codeIn(again.invitation)), 'code-not-valid');
  const left = await service.database.rows(`SELECT 1 FROM sessions WHERE key_id = '${bob.id}'`);
  assert.deepEqual(left, []);
});

test('another process refuses who was removed within two seconds', async () => {
  const cas = await joined('viewer', 'Cas');
  const { ownerSent, ownerId } = await owner('Otto');
  const second = await TestService.start({}, {}, service.database);
  try {
    for (const sent of [cas.sent, ownerSent]) await second.expect(200, 'GET', CURRENT, sent);
    await acme.expect(204, 'DELETE', `/people/${cas.id}`);
    await service.expect(204, 'DELETE', `${PEOPLE}/${ownerId}`);
    const removedAt = performance.now();
    for (const sent of [cas.sent, ownerSent]) {
      while ((await second.send('GET', CURRENT, sent)).status === 200);
    }
    assert.ok(performance.now() - removedAt < 4_000, 'with some room for a busy machine');
  } finally {
    await second.stop();
  }
});

async function owner(name: string) {
  const { json } = await service.expect(201, 'POST', PEOPLE, { body: { name } });
  const ownerSent = bySession(await acceptInvitation(service, json.invitation));
  return { ownerId: String(json.id), ownerSent };
}

test('a new link voids the one before, and a link ends after seven days', async () => {
  const body = { name: 'Dan', role: 'viewer' };
  const first = (await acme.expect(201, 'POST', '/people', { body })).json;
  const days = (Date.parse(first.invitationExpiresAt) - Date.now()) / 86_400_000;
  assert.ok(days > 6.99 && days <= 7);
  assert.match(first.invitation, /^http:\/\/localhost:\d+\/join#code=rk_\w{51}$/);
  const second = (await acme.expect(201, 'POST', `/people/${first.id}/invitation`)).json;
  assertProblem(await service.send('POST', SESSIONS, codeIn(first.invitation)), 'code-not-valid');
  // A day later it is still good, though a session would have ended.
  const moved = (ms: number) =>
    service.database.exec(
      `UPDATE sessions SET expires_at = expires_at - ${ms}, last_used_at = last_used_at - ${ms}
       WHERE key_id = '${first.id}'`,
    );
  await moved(6 * 86_400_000);
  await acceptInvitation(service, second.invitation);
  const third = (await acme.expect(201, 'POST', `/people/${first.id}/invitation`)).json;
  await moved(7 * 86_400_000);
  assertProblem(await service.send('POST', SESSIONS, codeIn(third.invitation)), 'code-not-valid');
});

test('an invitation is made once, and its link is shown once', async () => {
  const headers = { 'idempotency-key': 'invite-eve' };
  const body = { name: 'Eve', role: 'viewer' };
  for (const [path, sent] of [
    [acme.path('/people'), { key: acme.key, body, headers }],
    [PEOPLE, { body: { name: 'Eve' }, headers }],
  ] as const) {
    const first = await service.expect(201, 'POST', path, sent);
    const again = await service.expect(201, 'POST', path, sent);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(again.json, { ...first.json, invitation: null, invitationExpiresAt: null });
    const reused = await service.send('POST', path, {
      ...sent,
      body: { ...sent.body, name: 'Eva' },
    });
    assertProblem(reused, 'idempotency-key-reused');
    await acceptInvitation(service, first.json.invitation);
  }
});

test('sessions of people are seen and ended by themselves and by admins', async () => {
  const [fay, admin] = [await joined('viewer', 'Fay'), await joined('admin', 'Gil')];
  const stranger = await other.issueKey(['admin']);
  const path = `${SESSIONS}?personId=${fay.id}`;
  const [session] = (await service.expect(200, 'GET', path, admin.sent)).json.items;
  assert.equal((await service.expect(200, 'GET', SESSIONS, fay.sent)).json.items.length, 1);
  await service.expect(200, 'GET', path);
  assertProblem(await service.send('GET', path, { key: stranger }), 'person-not-found');
  const foreign = `${SESSIONS}?personId=${admin.id}`;
  assertProblem(await service.send('GET', foreign, fay.sent), 'person-not-found');
  const one = `${SESSIONS}/${session.id}`;
  assertProblem(await service.send('DELETE', one, { key: stranger }), 'session-not-found');
  await service.expect(204, 'DELETE', one, admin.sent);
  assertProblem(await service.send('GET', CURRENT, fay.sent), 'session-ended');
});

test('the last owner is removed by the root key alone, and who was seen is known', async () => {
  const { items } = (await service.expect(200, 'GET', PEOPLE)).json;
  for (const { id } of items) await service.expect(204, 'DELETE', `${PEOPLE}/${id}`);
  const [first, second] = [await owner('Hal'), await owner('Ida')];
  const seen = (await service.expect(200, 'GET', PEOPLE)).json.items;
  assert.ok(seen.every(({ lastSeenAt }: { lastSeenAt: string | null }) => lastSeenAt !== null));
  await service.expect(204, 'DELETE', `${PEOPLE}/${second.ownerId}`, first.ownerSent);
  const own = `${PEOPLE}/${first.ownerId}`;
  assertProblem(await service.send('DELETE', own, first.ownerSent), 'last-owner');
  await service.expect(204, 'DELETE', `${own}?erase=true`, { key: ROOT_KEY });
  const ids = (await acme.expect(200, 'GET', `/people?ids=${first.ownerId},${second.ownerId}`))
    .json;
  assert.deepEqual(
    ids.items.map(({ name }: { name: string | null }) => name),
    [null, 'Ida'],
  );
});

test('bad names, roles and ids are faults', async () => {
  const bad = { name: '\u202e', role: 'owner' };
  assertFaults(await acme.send('POST', '/people', { body: bad }), '/name', '/role');
  assertFaults(await acme.send('POST', '/people', { body: {} }), '/name', '/role');
  assertFaults(await acme.send('GET', '/people?ids=42'), '/query/ids');
  assertFaults(await acme.send('DELETE', '/people/42'), '/path/personID');
  assertFaults(await service.send('POST', PEOPLE, { body: { name: 'x'.repeat(65) } }), '/name');
});

test('a deleted realm takes its people along', async () => {
  const gone = await service.realm('gone');
  const { json } = await gone.expect(201, 'POST', '/people', {
    body: { name: 'Jo', role: 'admin' },
  });
  const sent = bySession(await acceptInvitation(service, json.invitation));
  await service.expect(204, 'DELETE', gone.path('?confirm=gone'));
  while ((await service.send('GET', CURRENT, sent)).status === 200);
  await service.realm('gone');
  assertProblem(await service.send('GET', CURRENT, sent), 'session-ended');
});
