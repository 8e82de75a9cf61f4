import type { OperationId } from '../contract/operations.ts';
import type { RequestFault } from '../contract/problems.ts';
import type { BodyFaults } from '../contract/validation.ts';
import type { Chain } from '../domain/model.ts';
import type { Addresses, Proofs } from './services.ts';

/**
 * Finds faults that no schema can express. They are reported together with the schema's faults, so
 * that a caller sees all of them at once; hence a value may still be of any type here.
 */
export function bodyFaultsOf({ addresses, proofs }: { addresses: Addresses; proofs: Proofs }): {
  [Id in OperationId]?: BodyFaults;
} {
  return {
    linkWallet: ({ address, chain, message, signature }) => [
      ...addressFaults('/address', address, kindOf(chain), addresses),
      ...halfProofFaults(message, signature),
      ...signatureFaults(address, signature, addresses, proofs),
    ],
    challengeWallet: ({ address, chain }) => {
      const faults = addressFaults('/address', address, kindOf(chain), addresses);
      return faults.length > 0 ? faults : proofFaults(address, addresses, proofs);
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

const faultAt = (pointer: string, fault: string | null): RequestFault[] =>
  fault === null ? [] : [{ pointer, detail: fault }];

const KIND = /^(eip155|solana|bitcoin)(?:$|(?<=eip155):\d+$)/;

/** An invalid chain has a fault of its own; the address is then checked without it. */
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
  return faultAt(pointer, 'fault' in parsed ? parsed.fault : null);
}

function proofFaults(address: unknown, addresses: Addresses, proofs: Proofs): RequestFault[] {
  const wallet = typeof address === 'string' ? addresses.parse(address) : null;
  return wallet && 'key' in wallet ? faultAt('/address', proofs.walletFault(wallet)) : [];
}

function halfProofFaults(message: unknown, signature: unknown): RequestFault[] {
  if ((message === undefined) === (signature === undefined)) return [];
  const missing = message === undefined ? '/message' : '/signature';
  return faultAt(
    missing,
    'is required: a proof has both the message of a challenge and its signature',
  );
}

function signatureFaults(
  address: unknown,
  signature: unknown,
  addresses: Addresses,
  proofs: Proofs,
): RequestFault[] {
  if (typeof address !== 'string' || typeof signature !== 'string') return [];
  const wallet = addresses.parse(address);
  return 'key' in wallet ? faultAt('/signature', proofs.signatureFault(wallet, signature)) : [];
}

function tokenIdFaults(standard: unknown, tokenId: unknown = null): RequestFault[] {
  if (standard === 'erc1155' && tokenId === null) {
    return faultAt('/tokenId', 'is required if "standard" is "erc1155"');
  }
  const hasNone = standard === 'erc20' || standard === 'erc721';
  const fault = 'must be absent unless "standard" is "erc1155"';
  return faultAt('/tokenId', hasNone && tokenId !== null ? fault : null);
}
