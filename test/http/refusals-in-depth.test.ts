import type { RefusalCode } from '../../src/domain/refusal.ts';
import { type DepthCode, MAX, type Refusing, testRefusals, WALLET } from '../support/refusing.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** The refusals of kinds, assets, reversals and holds, and general ones of their calls. */
const service = await serviceForFile();

let [added, reversal, hold] = [0, 0, 0];

const kind = (realm: TestRealm, body: object) => realm.send('POST', '/points', { body });
const asset = (realm: TestRealm, id: string, more: object = {}) =>
  realm.send('POST', '/assets', {
    body: { id, chain: 'eip155:1', standard: 'erc721', contract: WALLET, ...more },
  });
const change = (realm: TestRealm, id: string, body: object) =>
  realm.send('PATCH', `/points/${id}`, { body });
const reverse = (realm: TestRealm, seq: number, body: object = {}) =>
  realm.send('POST', `/transactions/${seq}/reversal`, { body });
const capture = (realm: TestRealm, id: number, body: object = {}) =>
  realm.send('POST', `/holds/${id}/capture`, { body });
const release = (realm: TestRealm, id: number) => realm.send('POST', `/holds/${id}/release`);
const holdOf = (realm: TestRealm, id: string, body: object) =>
  realm.send('POST', `/members/${id}/holds`, { body });

const add =
  (tokens: number, id = '1') =>
  async (realm: TestRealm) => {
    const sent = { body: { tokens } };
    const { json } = await realm.expect(200, 'PATCH', `/members/${id}/tokenBalance`, sent);
    added = json.transactionId;
  };
const hold50 = async (realm: TestRealm) => {
  const { json } = await realm.expect(201, 'POST', '/members/1/holds', { body: { tokens: 50 } });
  hold = json.holdId;
};
const reversed = async (realm: TestRealm) => {
  await add(30)(realm);
  const path = `/transactions/${added}/reversal`;
  reversal = (await realm.expect(201, 'POST', path, { body: { tokens: 10 } })).json.transactionId;
};
const closed = async (realm: TestRealm) => {
  await hold50(realm);
  await realm.expect(200, 'POST', `/holds/${hold}/release`);
};
const frozen = async (realm: TestRealm) => {
  await realm.expect(200, 'PATCH', '/members/1', { body: { status: 'frozen' } });
};
const removed = (id: string) => (realm: TestRealm) =>
  realm.expect(204, 'DELETE', `/members/${id}?forfeit=true`);
const settings = (values: object) => (realm: TestRealm) =>
  realm.expect(200, 'PATCH', '', { body: { settings: values } });
const all =
  (...acts: ((realm: TestRealm) => Promise<unknown>)[]) =>
  async (realm: TestRealm) => {
    for (const act of acts) await act(realm);
  };

const depth: Record<DepthCode, Refusing[]> = {
  'limit-reached': [
    {
      given: async (realm) => {
        for (let index = 1; index < 50; index++) await kind(realm, { id: `k${index}`, name: 'K' });
      },
      ask: (realm) => kind(realm, { id: 'k50', name: 'K' }),
      extra: { limit: 50 },
    },
    {
      given: async (realm) => {
        for (let index = 0; index < 100; index++) await holdOf(realm, '2', { tokens: 1 });
      },
      ask: (realm) => holdOf(realm, '2', { tokens: 1 }),
      extra: { limit: 100 },
    },
    {
      given: async (realm) => {
        for (let index = 0; index < 50; index++) await asset(realm, `a${index}`);
      },
      ask: (realm) => asset(realm, 'a50'),
      extra: { limit: 50 },
    },
  ],
  'asset-exists': [
    {
      given: (realm) => asset(realm, 'pass'),
      ask: (realm) => asset(realm, 'pass', { standard: 'erc20' }),
      extra: { assetId: 'pass' },
    },
  ],
  'asset-not-found': [
    { ask: (realm) => realm.send('DELETE', '/assets/pass'), extra: { assetId: 'pass' } },
    {
      given: async (realm) => {
        await asset(realm, 'pass');
        await realm.expect(204, 'DELETE', '/assets/pass');
      },
      ask: (realm) => realm.send('DELETE', '/assets/pass'),
    },
  ],
  'realm-point-exists': [
    {
      ask: (realm) => kind(realm, { id: 'points', name: 'Points' }),
      extra: { realmPointId: 'points' },
    },
    {
      ask: (realm) => kind(realm, { id: 'points', name: 'X', minimumBalance: 1, isDefault: true }),
    },
  ],
  'default-required': [
    {
      ask: (realm) => change(realm, 'points', { isDefault: false, name: 'New' }),
      extra: { realmPointId: 'points' },
    },
  ],
  'bounds-crossed': [
    {
      ask: (realm) => kind(realm, { id: 'gems', name: 'G', minimumBalance: 5, maximumBalance: 4 }),
      extra: { realmPointId: 'gems', minimumBalance: 5, maximumBalance: 4 },
    },
    {
      ask: (realm) => change(realm, 'points', { maximumBalance: -1, name: 'New' }),
      extra: { realmPointId: 'points', minimumBalance: 0, maximumBalance: -1 },
    },
  ],
  'transaction-not-found': [
    { ask: (realm) => reverse(realm, 999_999), extra: { transactionId: 999_999 } },
    // Records that moved no points: the realm itself, and a hold.
    { ask: (realm) => reverse(realm, 1), extra: { transactionId: 1 } },
    { given: hold50, ask: (realm) => reverse(realm, hold) },
    { ask: (realm) => realm.send('GET', '/transactions/1'), extra: { transactionId: 1 } },
  ],
  'not-reversible': [
    {
      given: reversed,
      ask: (realm) => reverse(realm, reversal, { tokens: 1, force: true }),
      extra: () => ({ transactionId: reversal }),
    },
  ],
  'reversal-exceeded': [
    {
      given: reversed,
      ask: (realm) => reverse(realm, added, { tokens: 21 }),
      extra: () => ({ transactionId: added, remaining: 20, requested: 21 }),
    },
    {
      given: all(reversed, (realm) => reverse(realm, added)),
      ask: (realm) => reverse(realm, added),
      extra: () => ({ remaining: 0 }),
    },
    { given: reversed, ask: (realm) => reverse(realm, added, { tokens: MAX, force: true }) },
  ],
  'hold-not-found': [
    { ask: (realm) => capture(realm, 999_999), extra: { holdId: 999_999 } },
    { ask: (realm) => release(realm, 1), extra: { holdId: 1 } },
    { ask: (realm) => realm.send('GET', '/holds/1'), extra: { holdId: 1 } },
    { given: all(hold50, removed('1')), ask: (realm) => capture(realm, hold) },
    { given: all(hold50, removed('1')), ask: (realm) => release(realm, hold) },
  ],
  'hold-closed': [
    {
      given: closed,
      ask: (realm) => capture(realm, hold),
      extra: () => ({ holdId: hold, holdStatus: 'released' }),
    },
    { given: closed, ask: (realm) => release(realm, hold) },
    {
      given: all(hold50, (realm) => capture(realm, hold)),
      ask: (realm) => capture(realm, hold, { tokens: 1 }),
      extra: () => ({ holdId: hold, holdStatus: 'captured' }),
    },
  ],
  'hold-exceeded': [
    {
      given: all(hold50, (realm) => capture(realm, hold, { tokens: 20 })),
      ask: (realm) => capture(realm, hold, { tokens: 31 }),
      extra: () => ({ holdId: hold, remaining: 30, requested: 31 }),
    },
  ],
};

/** Codes that these calls share with others. */
const older: Partial<Record<RefusalCode, Refusing[]>> = {
  'member-not-found': [
    { ask: (realm) => realm.send('GET', '/members/9/transactions'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('GET', '/members/9/balance'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('GET', '/leaderboard/9'), extra: { memberId: '9' } },
    { ask: (realm) => holdOf(realm, '9', { tokens: 1 }), extra: { memberId: '9' } },
    {
      given: all(add(30), removed('1')),
      ask: (realm) => reverse(realm, added, { force: true }),
      extra: { memberId: '1' },
    },
    // A missing member precedes other refusals.
    { given: all(reversed, removed('1')), ask: (realm) => reverse(realm, reversal) },
  ],
  'recipient-not-found': [
    {
      given: hold50,
      ask: (realm) => capture(realm, hold, { recipientId: 9 }),
      extra: { recipientId: '9' },
    },
    {
      given: all(hold50, settings({ autoEnroll: true })),
      ask: (realm) => capture(realm, hold, { recipientId: 9, tokens: 51 }),
    },
    { given: closed, ask: (realm) => capture(realm, hold, { recipientId: 9 }) },
  ],
  'realm-point-not-found': [
    { ask: (realm) => change(realm, 'gems', { name: 'G' }), extra: { realmPointId: 'gems' } },
    { ask: (realm) => holdOf(realm, '1', { tokens: 1, realmPointId: 'gems' }) },
    { ask: (realm) => realm.send('GET', '/leaderboard?realmPointId=gems') },
    { ask: (realm) => realm.send('GET', '/leaderboard/1?realmPointId=gems&window=day') },
  ],
  'self-transfer': [
    {
      given: hold50,
      ask: (realm) => capture(realm, hold, { recipientId: 1 }),
      extra: { memberId: '1' },
    },
  ],
  'transfers-disabled': [
    {
      given: all(hold50, settings({ transfers: false })),
      ask: (realm) => capture(realm, hold, { recipientId: 2 }),
    },
  ],
  'not-transferable': [
    {
      given: all(hold50, (realm) => change(realm, 'points', { isTransferable: false })),
      ask: (realm) => capture(realm, hold, { recipientId: 2 }),
      extra: { realmPointId: 'points' },
    },
  ],
  'too-many-tokens': [
    {
      given: settings({ maxTokensPerRequest: 50 }),
      ask: (realm) => holdOf(realm, '1', { tokens: 51 }),
      extra: { limit: 50, requested: 51 },
    },
  ],
  'member-frozen': [
    { ask: (realm) => holdOf(realm, '3', { tokens: 1 }), extra: { memberId: '3' } },
    { given: all(hold50, frozen), ask: (realm) => capture(realm, hold), extra: { memberId: '1' } },
    {
      given: hold50,
      ask: (realm) => capture(realm, hold, { recipientId: 3 }),
      extra: { memberId: '3' },
    },
    { given: all(add(30), frozen), ask: (realm) => reverse(realm, added, { force: true }) },
  ],
  'insufficient-points': [
    {
      given: hold50,
      ask: (realm) => holdOf(realm, '1', { tokens: 51 }),
      extra: { memberId: '1', balance: 100, requested: 51, held: 50 },
    },
    {
      given: all(add(30), hold50),
      ask: async (realm) => {
        await realm.send('POST', '/members/1/holds', { body: { tokens: 101 } });
        return realm.send('PATCH', '/members/1/tokenBalance', { body: { tokens: -81 } });
      },
      extra: { balance: 130, held: 50 },
    },
  ],
  'balance-limit': [
    { given: hold50, ask: (realm) => capture(realm, hold, { recipientId: 2 }) },
    {
      given: all(add(-1, '2'), (realm) => add(1, '2')(realm).then(() => (added -= 1))),
      ask: (realm) => reverse(realm, added),
      extra: { memberId: '2', balance: MAX, limit: MAX },
    },
  ],
};

testRefusals(service, depth);
testRefusals(service, older);
