import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKey } from '../../src/domain/key-format.ts';
import { assertFaults, assertProblem, changesNothing } from '../support/checks.ts';
import {
  callerOf,
  isOpen,
  keyIdOf,
  pathOf,
  prepare,
  sendGood,
  table,
} from '../support/requests.ts';
import { ROOT_KEY, serviceForFile, TestRealm } from '../support/service.ts';

/** What every operation refuses before it looks for anything but the key. */
const service = await serviceForFile();
const here = await prepare(service, 'here');
const there = await prepare(service, 'there');
const nowhere = { ...here, realm: new TestRealm(service, 'nowhere') };
const keys = {
  read: await here.realm.issueKey(['read']),
  write: await here.realm.issueKey(['write']),
  admin: here.realm.key,
};
const badHeaders = await authorizationsThatFail();

/** Invalid keys, by what is wrong with them. */
async function authorizationsThatFail(): Promise<Record<string, string | string[]>> {
  const expired = await here.realm.expiredKey(['admin']);
  const revoked = await here.realm.issueKey(['admin']);
  // Used once, so that it is cached.
  await service.expect(200, 'GET', '/api/v4/realms/here', { key: revoked });
  await service.expect(204, 'DELETE', `/api/v4/realms/here/keys/${keyIdOf(revoked)}`);
  return {
    'an empty header': '',
    'a scheme alone': 'Bearer',
    'another scheme': `Basic ${keys.admin}`,
    'a key never issued': `Bearer ${generateKey().key}`,
    'a mistyped checksum': `Bearer ${mistyped(keys.admin, keys.admin.length - 1)}`,
    'a mistyped secret': `Bearer ${mistyped(keys.admin, 20)}`,
    'a mistyped root key': `Bearer ${mistyped(ROOT_KEY, 3)}`,
    'a key cut short': `Bearer ${keys.admin.slice(0, -1)}`,
    'a key of 8 KiB': `Bearer ${'k'.repeat(8192)}`,
    'two keys in one header': `Bearer ${keys.admin} ${keys.admin}`,
    'the same header twice': [`Bearer ${keys.admin}`, `Bearer ${keys.admin}`],
    'two headers, the second good': ['Bearer nothing', `Bearer ${keys.admin}`],
    'a revoked key': `Bearer ${revoked}`,
    'an expired key': `Bearer ${expired}`,
  };
}

function mistyped(key: string, at: number): string {
  return key.slice(0, at) + (key[at] === '0' ? '1' : '0') + key.slice(at + 1);
}

for (const [id, operation] of table) {
  const { scope, path, ofPeople } = operation;
  test(`${id}: without a valid key it is 401 and nothing changes`, () =>
    changesNothing(here.realm, async () => {
      if (!isOpen(operation)) {
        assertProblem(await sendGood(id, here, { key: null }), 'unauthorized');
      }
      for (const [what, authorization] of Object.entries(badHeaders)) {
        const reply = await sendGood(id, here, { key: null, headers: { authorization } });
        assert.equal(reply.status, 401, what);
        assertProblem(reply, 'unauthorized');
      }
    }));

  test(`${id}: a key without access is 403 and nothing changes`, () =>
    changesNothing(here.realm, async () => {
      if (path.includes('{realmID}')) {
        // The same whether or not the realm exists, and whatever else the key may lack.
        for (const key of [there.realm.key, there.spareKey]) {
          assertProblem(await sendGood(id, here, { key }), 'forbidden');
          assertProblem(await sendGood(id, nowhere, { key }), 'forbidden');
        }
      }
      const lesser = { read: [], write: [keys.read], admin: [keys.read, keys.write] };
      const lacking = scope === 'root' ? [keys.read, keys.admin] : lesser[scope];
      for (const key of lacking) {
        assertProblem(await sendGood(id, here, { key }), 'insufficient-scope', { required: scope });
      }
      if (ofPeople) assertProblem(await sendGood(id, here, { key: ROOT_KEY }), 'person-required');
    }));
}

for (const [id, operation] of table) {
  const { method, body } = operation;
  if (!body) continue;
  test(`${id}: a bad body is 400 and nothing changes`, () =>
    changesNothing(here.realm, async () => {
      for (const raw of ['{', '[1', 'tokens=5', '{"a":1}}', '\ufeff{}']) {
        const reply = await sendGood(id, here, { ...callerOf(operation, here), raw });
        assertProblem(reply, 'malformed-json');
      }
      for (const raw of ['[]', '5', '"text"', 'null', 'true']) {
        const sent = { ...callerOf(operation, here), raw };
        const reply = await service.send(method, pathOf(operation, here), sent);
        assertFaults(reply, '');
      }
    }));
}
