import type { Operation } from '../../src/contract/operation.ts';
import { type OperationId, operations } from '../../src/contract/operations.ts';
import type { Reply, Sent, TestRealm, TestService } from './service.ts';

interface GoodRequest {
  query?: string;
  body?: unknown;
}

export const table = Object.entries(operations) as [OperationId, Operation][];

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

/** One request for each operation that a prepared realm accepts. None can be forgotten. */
export const goodRequests: Record<OperationId, GoodRequest> = {
  getMember: {},
  getWeb3Member: {},
  checkWallets: { query: `?wallets=${WALLET},rubbish` },
  checkWalletsByPost: { body: { wallets: [WALLET] } },
  checkWalletsByQuery: { body: { wallets: [WALLET, WALLET] } },
  changePoints: { body: { tokens: -5, description: 'A fine', realmPointId: 'points' } },
  transferPoints: { body: { recipientId: 43, tokens: 5, description: 'Thanks' } },
  changeManyPoints: {
    body: {
      atomic: false,
      entries: [
        { memberId: 42, tokens: 5 },
        { memberId: '41', tokens: 5 },
      ],
    },
  },
  createMember: {
    body: { id: '9223372036854775807', username: 'max', metadata: { a: [1, null] } },
  },
  listMembers: { query: '?search=A&status=active&limit=1' },
  updateMember: { body: { status: 'frozen', username: null, accounts: [] } },
  removeMember: { query: '?forfeit=true' },
  linkWallet: { body: { address: WALLET.toLowerCase(), chain: 'eip155', primary: true } },
  createRealm: { body: { id: 'brand-new', name: 'New', settings: { maxTokensPerRequest: 7 } } },
  listRealms: { query: '?limit=2' },
  getRealm: {},
  updateRealm: { body: { name: 'Renamed', settings: { rateLimit: { perSecond: 5, burst: 9 } } } },
  createKey: {
    body: { name: 'bot', scopes: ['read', 'write'], expiresAt: '2999-01-31T00:00:00+01:00' },
  },
  listKeys: {},
  rotateKey: { body: { overlapSeconds: 60 } },
  revokeKey: {},
};

/** A realm in which every good request finds what it names. */
export interface Prepared {
  realm: TestRealm;
  spareKey: string;
}

export async function prepare(service: TestService, id: string): Promise<Prepared> {
  const realm = await service.realm(id);
  await realm.member('42', 1_000, {
    username: 'alice',
    displayName: 'Alice',
    accounts: [{ provider: 'discord', id: '42' }],
    wallets: ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    metadata: { tier: 'gold' },
  });
  await realm.member('43');
  return { realm, spareKey: await realm.issueKey(['read']) };
}

export function pathOf(operation: Operation, { realm, spareKey }: Prepared): string {
  return operation.path
    .replace('{realmID}', realm.id)
    .replace('{memberID}', '42')
    .replace('{keyID}', keyIdOf(spareKey));
}

export const keyIdOf = (key: string): string => key.split('_')[1] ?? '';

/** Sends an operation's good request under the root key, but for what `sent` says otherwise. */
export function sendGood(id: OperationId, prepared: Prepared, sent: Sent = {}): Promise<Reply> {
  const operation: Operation = operations[id];
  const { query = '', body } = goodRequests[id];
  const path = pathOf(operation, prepared) + query;
  return prepared.realm.service.send(operation.method, path, { body, ...sent });
}
