import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { parseAnyKind } from '../../src/web3/address-format.ts';

const HASHES = {
  keccak256Hex: (text: string): string => bytesToHex(keccak_256(utf8ToBytes(text))),
  sha256,
};

/** An address as the service reads it, or what the service finds wrong with it. */
export const parseWallet = (text: string) => parseAnyKind(text, HASHES);
