import type { RefusalCode } from '../../src/domain/refusal.ts';
import {
  type ArchiveCode,
  type DepthCode,
  type OfferCode,
  type PointCode,
  type ProofCode,
  type Refusing,
  testRefusals,
  WALLET,
} from '../support/refusing.ts';
import { keyIdOf } from '../support/requests.ts';
import { serviceForFile, type TestRealm } from '../support/service.ts';

/** Every refusal of realms, keys and members: its extension members, and that nothing changes. */
const service = await serviceForFile();

/** Reaches a state that no call can. */
const inDatabase = (sql: string): Promise<void> => service.database.exec(sql);

const enrol = (realm: TestRealm, body: object) => realm.send('POST', '/members', { body });

const enrolOnce = (realm: TestRealm) => {
  const headers = { 'idempotency-key': 'enrol' };
  return realm.send('POST', '/members', { body: { id: 77, username: 'eve' }, headers });
};

let [expiring, rotated, successor, hook] = ['', '', '', ''];

/** In test/webhooks/targets.test.ts: here, private targets are allowed. */
type TargetCode = 'webhook-target-refused';

type Elsewhere = DepthCode | OfferCode | PointCode | ProofCode | ArchiveCode | TargetCode;

const NOBODY = 'p000000000000';

const refusals: Record<Exclude<RefusalCode, Elsewhere>, Refusing[]> = {
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
  'person-not-found': [
    { ask: (realm) => realm.send('DELETE', `/people/${NOBODY}`), extra: { personId: NOBODY } },
    { ask: (realm) => realm.send('DELETE', `/people/${NOBODY}?erase=true`) },
    { ask: (realm) => realm.send('PATCH', `/people/${NOBODY}`, { body: { name: 'x' } }) },
    { ask: (realm) => realm.send('POST', `/people/${NOBODY}/invitation`) },
    { ask: ({ service }) => service.send('DELETE', `/api/v4/people/${NOBODY}`) },
    { ask: ({ service }) => service.send('PATCH', `/api/v4/people/${NOBODY}`, { body: {} }) },
    { ask: ({ service }) => service.send('POST', `/api/v4/people/${NOBODY}/invitation`) },
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
  'webhook-not-found': [
    {
      ask: (realm) => realm.send('PATCH', '/webhooks/nosuch', { body: { paused: true } }),
      extra: { webhookId: 'nosuch' },
    },
    { ask: (realm) => realm.send('GET', '/webhooks/nosuch') },
    { ask: (realm) => realm.send('DELETE', '/webhooks/nosuch') },
    { ask: (realm) => realm.send('POST', '/webhooks/nosuch/rotate') },
    { ask: (realm) => realm.send('POST', '/webhooks/nosuch/test') },
    { ask: (realm) => realm.send('GET', '/webhooks/nosuch/deliveries') },
    { ask: (realm) => realm.send('GET', '/webhooks/nosuch/deliveries/1') },
    { ask: (realm) => realm.send('POST', '/webhooks/nosuch/deliveries/1/resend') },
  ],
  'replay-beyond-end': [
    {
      given: async (realm) => {
        const body = { url: 'http://127.0.0.1:1/hook', types: ['realm.updated'] };
        hook = (await realm.expect(201, 'POST', '/webhooks', { body })).json.id;
      },
      ask: (realm) => realm.send('POST', `/webhooks/${hook}/replay`, { body: { fromSeq: 999 } }),
      extra: { fromSeq: 999 },
    },
  ],
  'member-not-found': [
    { ask: (realm) => realm.send('GET', '/members/9'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('GET', '/web3/members/9'), extra: { memberId: '9' } },
    { ask: (realm) => realm.send('PATCH', '/members/9', { body: { status: 'frozen' } }) },
    { ask: (realm) => realm.send('DELETE', '/members/9?forfeit=true') },
    { ask: (realm) => realm.send('POST', '/members/9/wallets', { body: { address: WALLET } }) },
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
        // The writer caches the realm's row: only a record could tell it of this change.
        await realm.service.restart();
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
  'answer-erased': [
    {
      given: async (realm) => {
        await enrolOnce(realm);
        await realm.expect(204, 'DELETE', '/members/77?erase=true');
      },
      ask: (realm) => enrolOnce(realm),
    },
  ],
};

testRefusals(service, refusals);
