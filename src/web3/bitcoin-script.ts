import { equalBytes } from '@noble/curves/utils.js';
import { base58, bech32, bech32m } from '@scure/base';
import { ripemd160, sha256 } from './hashes.ts';

/** The output script of an address; `program` is the hash or key in it. */
export interface Script {
  type: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr' | 'unknown';
  program: Uint8Array;
  bytes: Uint8Array;
}

/** Expects a valid address. */
export function scriptOf(address: string): Script {
  if (!address.startsWith('bc1')) return base58Script(base58.decode(address).slice(0, 21));
  const { words } = bech32.decodeUnsafe(address) ?? bech32m.decode(address as `bc1${string}`);
  const [version = 0, ...rest] = words;
  const program = bech32.fromWords(rest);
  const opcode = version === 0 ? 0 : 0x50 + version;
  const bytes = Uint8Array.of(opcode, program.length, ...program);
  return { type: witnessType(version, program.length), program, bytes };
}

function witnessType(version: number, length: number): Script['type'] {
  if (version === 0) return length === 20 ? 'p2wpkh' : 'p2wsh';
  return version === 1 && length === 32 ? 'p2tr' : 'unknown';
}

function base58Script([version, ...hash]: Uint8Array): Script {
  const program = Uint8Array.from(hash);
  return version === 0x00
    ? { type: 'p2pkh', program, bytes: payToKeyHash(program) }
    : { type: 'p2sh', program, bytes: Uint8Array.of(0xa9, 20, ...hash, 0x87) };
}

/** The script of P2PKH, which BIP-143 also uses to sign for P2WPKH. */
export const payToKeyHash = (hash: Uint8Array): Uint8Array =>
  Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac);

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));
export const sha256d = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

/** Whether the address belongs to the public key, directly or wrapped in P2SH. */
export function paysTo({ type, program }: Script, publicKey: Uint8Array): boolean {
  const own = hash160(publicKey);
  if (type === 'p2pkh' || type === 'p2wpkh') return equalBytes(own, program);
  return type === 'p2sh' && equalBytes(hash160(Uint8Array.of(0x00, 20, ...own)), program);
}
