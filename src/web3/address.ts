import type { Address, Chain } from '../domain/model.ts';
import { type Fault, parseAnyKind } from './address-format.ts';
import { keccak256Hex, sha256 } from './hashes.ts';

export { walletKey } from './address-format.ts';

const HASHES = { keccak256Hex, sha256 };

const kindNames: Record<Chain, string> = {
  eip155: 'an EVM',
  solana: 'a Solana',
  bitcoin: 'a Bitcoin',
};

/** Parses an address for linking. It is strict, because a typo would link the wrong wallet. */
export function parseAddress(text: string, chain?: Chain): Address | Fault {
  const parsed = parseAnyKind(text, HASHES);
  if ('fault' in parsed || chain === undefined || parsed.chain === chain) return parsed;
  return { fault: `is ${kindNames[parsed.chain]} address, not ${kindNames[chain]} address` };
}
