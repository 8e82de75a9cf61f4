import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrite } from '../../src/contract/operation.ts';
import { newBodies } from '../support/new-bodies.ts';
import { pathOf, prepare, table } from '../support/requests.ts';
import { type Reply, serviceForFile } from '../support/service.ts';

const service = await serviceForFile();
const realm = await service.realm('acme', { autoEnroll: true });
const beside = await service.realm('beside');
await realm.member('1', 100);
await realm.member('2');

const ignoredIn = ({ headers }: Reply): unknown => headers['x-realmkeep-ignored'];

for (const [id, operation] of table) {
  const { body, method, example } = operation;
  if ((!body && !isWrite(operation)) || operation.isStrict || operation.ofPeople) continue;
  test(`${id}: unknown fields are named if it changes something`, async () => {
    const prepared = await prepare(service, `ignored-${id}`);
    const own = (await newBodies[id]?.(prepared.realm)) ?? example;
    const sent = { ...(own as object), ...(id === 'createRealm' && { id: 'ignored' }) };
    const more = { ...sent, tokns: 1, metdata: { a: { b: 1 } } };
    const reply = await service.send(method, pathOf(operation, prepared), { body: more });
    if (method !== 'DELETE') assert.equal(reply.status, operation.answer.status, reply.text);
    assert.equal(ignoredIn(reply), isWrite(operation) ? 'tokns,metdata' : undefined);
  });
}

test('an operation without a body takes whatever is sent, once per idempotency key', async () => {
  const headers = { 'idempotency-key': 'archive' };
  const bodies = ['{', '[1]', 'null', '{ "why": 1 }', '', `{ "why": "${'x'.repeat(40_000)}" }`];
  for (const raw of bodies) {
    const reply = await service.expect(200, 'POST', beside.path('/archive'), { raw, headers });
    assert.equal(ignoredIn(reply), raw.startsWith('{ "why"') ? 'why' : undefined);
  }
});

test('known fields are not named', async () => {
  const body = { tokens: 1, description: 'x', realmPointId: 'points' };
  const reply = await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body });
  assert.equal(ignoredIn(reply), undefined);
});

test('refusals name them too: they often explain the refusal', async () => {
  const path = '/members/1/tokenBalance';
  const faulty = await realm.expect(400, 'PATCH', path, { body: { tokns: 1 } });
  assert.equal(ignoredIn(faulty), 'tokns');
  const refused = await realm.expect(422, 'PATCH', path, { body: { tokens: -1e6, reason: 'x' } });
  assert.equal(ignoredIn(refused), 'reason');
});

test('a replay names them again', async () => {
  const sent = { body: { tokens: 1, reason: 'x' }, headers: { 'idempotency-key': 'again' } };
  for (let call = 0; call < 2; call++) {
    const reply = await realm.expect(200, 'PATCH', '/members/1/tokenBalance', sent);
    assert.equal(ignoredIn(reply), 'reason');
    assert.equal(reply.headers['idempotent-replayed'], call === 0 ? undefined : 'true');
  }
});

test('fields of objects and of entries have their path; what is free-form has none', async () => {
  const account = { provider: 'discord', id: '7', usrname: 'x' };
  const reply = await realm.expect(201, 'POST', '/members', {
    body: { accounts: [account], nam: 1 },
  });
  assert.equal(ignoredIn(reply), 'accounts.usrname,nam');
  const member = { id: '7', metadata: { any: { thing: 1 } }, accounts: [] };
  assert.equal(ignoredIn(await realm.expect(201, 'POST', '/members', { body: member })), undefined);
});

test('the entries of small and large batches are looked into alike', async () => {
  for (const count of [3, 1_000]) {
    const entries = Array.from({ length: count }, (_, index) => ({
      memberId: String(1 + (index % 2)),
      tokens: 1,
      tokns: 1,
      ...(index === 2 && { descriptoin: 'x' }),
    }));
    const body = { atomic: true, entries, atomci: false };
    const reply = await realm.expect(200, 'PATCH', '/members/tokenBalance', { body });
    assert.equal(ignoredIn(reply), 'entries.tokns,entries.descriptoin,atomci');
  }
});

test('names are made safe for a header, shortened, and not without end', async () => {
  const named = async (fields: object): Promise<unknown> => {
    const body = { tokens: 1, ...fields };
    return ignoredIn(await realm.expect(200, 'PATCH', '/members/1/tokenBalance', { body }));
  };
  assert.equal(await named({ 'a,b c%': 1, 'é\r\nx: y': 1 }), 'a%2Cb%20c%25,%C3%A9%0D%0Ax:%20y');
  assert.equal(await named({ '': 1, $ref: 1 }), '"",$ref');
  assert.equal(await named({ ['k'.repeat(500)]: 1 }), `${'k'.repeat(40)}...`);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
  const names = String(await named(many)).split(',');
  assert.deepEqual([names.length, names[0], names[19], names[20]], [21, 'f0', 'f19', '...']);
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => ['😀'.repeat(19) + i, 1]));
  assert.match(String(await named(wide)), /^.{500,1500},\.\.\.$/);
});
