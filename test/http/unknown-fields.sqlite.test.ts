import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFaults, assertProblem } from '../support/checks.ts';
import { serviceForFile } from '../support/service.ts';

const service = await serviceForFile();
const realm = await service.realm('strict');
await realm.member('1', 100);

const strict = { prefer: 'respond-async, Handling = "strict"; x=1' };

test('settings and kinds of points refuse what they do not have', async () => {
  const settings = await realm.send('PATCH', '', { body: { settings: { autoEnrol: true } } });
  assertFaults(settings, '/settings/autoEnrol');
  assert.equal(settings.json.detail, 'settings.autoEnrol is unknown (did you mean autoEnroll?).');
  const kind = { id: 'gems', name: 'Gems', minimum: -5 };
  const created = await realm.send('POST', '/points', { body: kind });
  assertFaults(created, '/minimum');
  assert.equal(created.json.detail, 'minimum is unknown (did you mean minimumBalance?).');
  const changed = await realm.send('PATCH', '/points/points', { body: { nmae: 'Gold' } });
  assertFaults(changed, '/nmae');
  const newRealm = { id: 'another', name: 'Another', colour: 'red' };
  const another = await service.send('POST', '/api/v4/realms', { body: newRealm });
  assertFaults(another, '/colour');
  assert.equal(another.json.detail, 'colour is unknown.');
  assertProblem(await service.send('GET', '/api/v4/realms/another'), 'realm-not-found');
});

test('a caller that prefers so has every unknown field refused', async () => {
  const named = { body: { name: 'joe', displyName: 'Joe', username: 5 }, headers: strict };
  const enrolment = await realm.send('POST', '/members', named);
  assertFaults(enrolment, '/username', '/name', '/displyName');
  const { errors } = enrolment.json;
  const details = errors.map(({ detail }: { detail: string }) => detail);
  assert.deepEqual(details.slice(1), [
    'is unknown (did you mean username?)',
    'is unknown (did you mean displayName?)',
  ]);
  const entries = [
    { memberId: 1, tokens: 1 },
    { memberId: 1, tokens: 1, tokns: 2 },
  ];
  const batch = await realm.send('PATCH', '/members/tokenBalance', {
    body: { entries },
    headers: strict,
  });
  assertFaults(batch, '/entries/1/tokns');
  const metadata = { body: { metadata: { anything: 1 } }, headers: strict };
  await realm.expect(200, 'PATCH', '/members/1', metadata);
});

test('a name of half a megabyte is compared with none', async () => {
  const startedAt = performance.now();
  const body = { ['ab'.repeat(250_000)]: 1 };
  const { json } = await realm.send('POST', '/members', { body, headers: strict });
  assert.equal(json.errors[0].detail, 'is unknown');
  const took = performance.now() - startedAt;
  assert.ok(took < 1_000, `it took ${took} ms`);
});

test('for all others a header names it, as before', async () => {
  const lenient = { body: { name: 'joe' }, headers: { prefer: 'handling=lenient' } };
  const { headers } = await realm.expect(201, 'POST', '/members', lenient);
  assert.equal(headers['x-realmkeep-ignored'], 'name');
});

test('a misspelt parameter of a removal is named, or refused', async () => {
  await realm.member('3');
  const path = '/members/3?forfeit=true&erased=true';
  const refused = await realm.send('DELETE', path, { headers: strict });
  assertFaults(refused, '/query/erased');
  assert.match(refused.json.detail, /erased is unknown \(did you mean erase\?\)/);
  const { headers } = await realm.expect(204, 'DELETE', path);
  assert.equal(headers['x-realmkeep-ignored'], 'erased');
});
