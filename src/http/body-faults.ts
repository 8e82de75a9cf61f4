import type { OperationId } from '../contract/operations.ts';
import type { RequestFault } from '../contract/problems.ts';
import type { BodyFaults } from '../contract/validation.ts';
import type { Chain } from '../domain/model.ts';
import type { Addresses, Proofs } from './calls.ts';

/**
 * What is wrong with a body beyond its schema. It is looked for together with the schema's faults,
 * so that a caller reads all of them at once; nothing may be taken for granted of a value's type.
 */
export function bodyFaultsOf({ addresses, proofs }: { addresses: Addresses; proofs: Proofs }): {
  [Id in OperationId]?: BodyFaults;
} {
  return {
    linkWallet: ({ address, chain, message, signature }) => [
      ...addressFaults('/address', address, kindOf(chain), addresses),
      ...missingHalf(message, signature),
      ...signatureFaults(address, signature, addresses, proofs),
    ],
    challengeWallet: ({ address, chain }) => {
      const faults = addressFaults('/address', address, kindOf(chain), addresses);
      return faults.length > 0 ? faults : unprovable(address, addresses, proofs);
    },
    createAsset: ({ contract, standard, tokenId }) => [
      ...addressFaults('/contract', contract, 'eip155', addresses),
      ...tokenIdFaults(standard, tokenId),
    ],
    createMember: ({ wallets }) =>
      Array.isArray(wallets)
        ? wallets.flatMap((wallet, index) =>
            addressFaults(`/wallets/${index}`, wallet, undefined, addresses),
          )
        : [],
  };
}

const at = (pointer: string, fault: string | null): RequestFault[] =>
  fault === null ? [] : [{ pointer, detail: fault }];

const KIND = /^(eip155|solana|bitcoin)(?:$|(?<=eip155):\d+$)/;

/** A chain that is off has a fault of its own, and the address is judged without it. */
function kindOf(chain: unknown): Chain | undefined {
  const known = typeof chain === 'string' ? KIND.exec(chain)?.[1] : undefined;
  return known as Chain | undefined;
}

function addressFaults(
  pointer: string,
  address: unknown,
  chain: Chain | undefined,
  addresses: Addresses,
): RequestFault[] {
  if (typeof address !== 'string') return [];
  const parsed = addresses.parse(address, chain);
  return at(pointer, 'fault' in parsed ? parsed.fault : null);
}

function unprovable(address: unknown, addresses: Addresses, proofs: Proofs): RequestFault[] {
  const wallet = typeof address === 'string' ? addresses.parse(address) : null;
  return wallet && 'key' in wallet ? at('/address', proofs.walletFault(wallet)) : [];
}

function missingHalf(message: unknown, signature: unknown): RequestFault[] {
  if ((message === undefined) === (signature === undefined)) return [];
  const missing = message === undefined ? '/message' : '/signature';
  return at(missing, 'is required: a proof is the message of a challenge and its signature');
}

function signatureFaults(
  address: unknown,
  signature: unknown,
  addresses: Addresses,
  proofs: Proofs,
): RequestFault[] {
  if (typeof address !== 'string' || typeof signature !== 'string') return [];
  const wallet = addresses.parse(address);
  return 'key' in wallet ? at('/signature', proofs.signatureFault(wallet, signature)) : [];
}

function tokenIdFaults(standard: unknown, tokenId: unknown = null): RequestFault[] {
  if (standard === 'erc1155' && tokenId === null) {
    return at('/tokenId', 'is required where "standard" is "erc1155"');
  }
  const hasNone = standard === 'erc20' || standard === 'erc721';
  const fault = 'must be absent unless "standard" is "erc1155"';
  return at('/tokenId', hasNone && tokenId !== null ? fault : null);
}
