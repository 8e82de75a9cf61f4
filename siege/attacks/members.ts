import { createHash } from 'node:crypto';
import type { Address } from '../../src/domain/model.ts';
import { parseAddress } from '../../src/web3/address.ts';

/** The longest page of members. */
export const LIST = '/members?limit=500';

export const withMetadata = (bytes: number) => ({
  fields: { metadata: JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) }) },
});

/** The most of everything that a request can enrol a member with. */
export const largestMember = (id: number) => ({
  fields: {
    ...withMetadata(8_192).fields,
    username: `member${id}`.padEnd(64, 'x'),
    displayName: 'x'.repeat(128),
    accounts: Array.from({ length: 20 }, (_, index) => ({
      provider: `provider${index}`,
      id: `${id}-${index}`.padEnd(128, 'x'),
      username: 'x'.repeat(128),
    })),
  },
  wallets: walletsOf(id, 50),
});

/** Wallets that no other member has. */
export function walletsOf(id: number, count: number): Address[] {
  return Array.from({ length: count }, (_, index) => {
    const digits = createHash('sha256').update(`${id} ${index}`).digest('hex').slice(0, 40);
    const wallet = parseAddress(`0x${digits}`);
    if ('fault' in wallet) throw new Error(`a wallet ${wallet.fault}`);
    return wallet;
  });
}
