import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusalCode } from '../../src/domain/refusal.ts';
import { assertProblem, changesNothing } from '../support/checks.ts';
import {
  type DepthCode,
  MAX,
  type ProofCode,
  type Refusing,
  refusingRealm,
  testRefusals,
  WALLET,
} from '../support/refusing.ts';
import { keyIdOf } from '../support/requests.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Every refusal of the domain, one line each: its extra members, and that nothing changes. */
const service = await serviceForFile();

/** Changes what no call can change. */
const inDatabase = (sql: string): Promise<void> => service.database.exec(sql);

const change = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/members/${id}/tokenBalance`, { body });
const give = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/members/${id}/transfer`, { body });
const enrol = (realm: TestRealm, body: object) => realm.send('POST', '/members', { body });
const set = (realm: TestRealm, settings: object) =>
  realm.expect(200, 'PATCH', '', { body: { settings } });

let [expiring, rotated, successor] = ['', '', ''];

const refusals: Record<Exclude<RefusalCode, DepthCode | ProofCode>, Refusing[]> = {
  'realm-not-found': [
    {
      ask: () => service.send('PATCH', '/api/v4/realms/nowhere', { body: { name: 'x' } }),
      extra: { realmId: 'nowhere' },
    },
  ],
  'realm-exists': [
    {
      ask: ({ id }) => service.send('POST', '/api/v4/realms', { body: { id, name: 'x' } }),
      extra: ({ id }: TestRealm) => ({ realmId: id }),
    },
  ],
  'key-not-found': [
    { ask: (realm) => realm.send('DELETE', '/keys/nosuchkey'), extra: { keyId: 'nosuchkey' } },
    { ask: (realm) => realm.send('POST', '/keys/nosuchkey/rotate') },
  ],
  'key-expired': [
    {
      given: async (realm) => {
        expiring = keyIdOf(await realm.expiredKey(['read']));
      },
      ask: (realm) => realm.send('POST', `/keys/${expiring}/rotate`),
      extra: () => ({ keyId: expiring }),
    },
  ],
  'key-replaced': [
    {
      given: async (realm) => {
        rotated = keyIdOf(await realm.issueKey(['read']));
        const reply = await realm.expect(201, 'POST', `/keys/${rotated}/rotate`);
        successor = reply.json.id;
      },
      ask: (realm) => realm.send('POST', `/keys/${rotated}/rotate`),
      extra: () => ({ keyId: rotated, replacedBy: successor }),
    },
  ],
  'member-not-found': [
    { ask: (realm) => change(realm, '9', { tokens: 5 }), extra: { memberId: '9' } },
    { ask: (realm) => change(realm, '9', { tokens: -5 }) },
    { ask: (realm) => give(realm, '9', { recipientId: 1, tokens: 5 }), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('GET', '/members/9'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('GET', '/web3/members/9'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('PATCH', '/members/9', { body: { status: 'frozen' } }) },
    { ask: (realm) => realm.send('DELETE', '/members/9?forfeit=true') },
    { ask: (realm) => realm.send('POST', '/members/9/wallets', { body: { address: WALLET } }) },
  ],
  'recipient-not-found': [
    {
      ask: (realm) => give(realm, '1', { recipientId: '9', tokens: 5 }),
      extra: { recipientId: '9' },
    },
  ],
  'realm-point-not-found': [
    {
      ask: (realm) => change(realm, '1', { tokens: 5, realmPointId: 'gems' }),
      extra: { realmPointId: 'gems' },
    },
    { ask: (realm) => give(realm, '1', { recipientId: 3, tokens: 5, realmPointId: 'gems' }) },
  ],
  'member-exists': [{ ask: (realm) => enrol(realm, { id: 1 }), extra: { memberId: '1' } }],
  'account-taken': [
    {
      ask: (realm) => enrol(realm, { id: 9, accounts: [{ provider: 'discord', id: '77' }] }),
      extra: { account: 'discord:77', memberId: '1' },
    },
    {
      ask: (realm) => {
        const accounts = [
          { provider: 'x', id: '1' },
          { provider: 'discord', id: '77' },
        ];
        return realm.send('PATCH', '/members/2', { body: { username: 'new', accounts } });
      },
    },
  ],
  'wallet-taken': [
    {
      ask: (realm) => enrol(realm, { id: 9, wallets: [WALLET.toLowerCase()] }),
      extra: { wallet: WALLET, memberId: '1' },
    },
    {
      ask: (realm) => realm.send('POST', '/members/2/wallets', { body: { address: WALLET } }),
      extra: { wallet: WALLET, memberId: '1' },
    },
  ],
  'self-transfer': [
    { ask: (realm) => give(realm, '1', { recipientId: 1, tokens: 5 }), extra: { memberId: '1' } },
    { ask: (realm) => give(realm, '1', { recipientId: '1', tokens: 1_000 }) },
  ],
  'transfers-disabled': [
    {
      given: (realm) => set(realm, { transfers: false }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 5 }),
    },
  ],
  'not-transferable': [
    {
      given: (realm) =>
        realm.expect(200, 'PATCH', '/points/points', { body: { isTransferable: false } }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 5 }),
      extra: { realmPointId: 'points' },
    },
  ],
  'too-many-tokens': [
    {
      given: (realm) => set(realm, { maxTokensPerRequest: 50 }),
      ask: (realm) => change(realm, '1', { tokens: -51 }),
      extra: { limit: 50, requested: 51 },
    },
    {
      given: (realm) => set(realm, { maxTokensPerRequest: 50 }),
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 51 }),
    },
  ],
  'member-frozen': [
    { ask: (realm) => change(realm, '3', { tokens: 5 }), extra: { memberId: '3' } },
    { ask: (realm) => change(realm, '3', { tokens: -5 }), extra: { memberId: '3' } },
    { ask: (realm) => give(realm, '3', { recipientId: 1, tokens: 5 }), extra: { memberId: '3' } },
    { ask: (realm) => give(realm, '1', { recipientId: 3, tokens: 5 }), extra: { memberId: '3' } },
  ],
  'insufficient-points': [
    {
      ask: (realm) => change(realm, '1', { tokens: -101 }),
      extra: { memberId: '1', balance: 100, requested: 101 },
    },
    {
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 101 }),
      extra: { memberId: '1', balance: 100, requested: 101 },
    },
    {
      given: (realm) => set(realm, { autoEnroll: true }),
      ask: (realm) => give(realm, '1', { recipientId: 9, tokens: 101 }),
    },
  ],
  'balance-limit': [
    {
      ask: (realm) => change(realm, '2', { tokens: 1 }),
      extra: { memberId: '2', balance: MAX, limit: MAX },
    },
    {
      ask: (realm) => give(realm, '1', { recipientId: 2, tokens: 1 }),
      extra: { memberId: '2', balance: MAX, limit: MAX },
    },
  ],
  'balance-not-zero': [
    {
      ask: (realm) => realm.send('DELETE', '/members/1'),
      extra: { memberId: '1', realmPointId: 'points', balance: 100 },
    },
    { ask: (realm) => realm.send('DELETE', '/members/3?forfeit=false') },
  ],
  'member-ids-exhausted': [
    {
      given: async (realm) => {
        await realm.member('9223372036854775807');
        const last = 'UPDATE realms SET next_member_id = 9223372036854775807';
        await inDatabase(`${last} WHERE realm_id = '${realm.id}'`);
      },
      ask: (realm) => enrol(realm, { username: 'one too many' }),
    },
  ],
  'idempotency-key-reused': [
    {
      given: (realm) => {
        const sent = { body: { tokens: 1 }, headers: { 'idempotency-key': 'k' } };
        return realm.expect(200, 'PATCH', '/members/1/tokenBalance', sent);
      },
      ask: (realm) => {
        const sent = { body: { tokens: 2 }, headers: { 'idempotency-key': 'k' } };
        return realm.send('PATCH', '/members/1/tokenBalance', sent);
      },
    },
  ],
};

testRefusals(service, refusals);

test('a batch is refused with the place of the entry, or entry by entry', async () => {
  const realm = await refusingRealm(service, 'batch');
  const entries = [
    { memberId: 1, tokens: -40 },
    { memberId: 1, tokens: -61 },
    { memberId: 3, tokens: 1 },
  ];
  const path = '/members/tokenBalance';
  const atomic = () => realm.send('PATCH', path, { body: { entries } });
  const refused = await changesNothing(realm, atomic);
  assertProblem(refused, 'insufficient-points', { memberId: '1', balance: 60, requested: 61 });
  assert.equal(refused.json.errors[0].pointer, '/entries/1');
  const reply = await realm.expect(200, 'PATCH', path, { body: { entries, atomic: false } });
  const [first, second, third] = reply.json.results;
  assert.equal(first.newBalance, 60);
  assert.deepEqual([second.memberId, second.problem.code], ['1', 'insufficient-points']);
  assert.deepEqual([third.memberId, third.problem.code], ['3', 'member-frozen']);
  assert.deepEqual([second.problem.status, second.problem.balance], [422, 60]);
});
