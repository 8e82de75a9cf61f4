import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { base58, bech32, bech32m } from '@scure/base';
import { ripemd160, sha256 } from './hashes.ts';

/** The output script of an address; `program` is the hash or key in it. */
interface Script {
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
const payToKeyHash = (hash: Uint8Array): Uint8Array =>
  Uint8Array.of(0x76, 0xa9, 20, ...hash, 0x88, 0xac);

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));
export const sha256d = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));

/** Whether the address belongs to the public key, directly or wrapped in P2SH. */
function paysTo({ type, program }: Script, publicKey: Uint8Array): boolean {
  const own = hash160(publicKey);
  if (type === 'p2pkh' || type === 'p2wpkh') return equalBytes(own, program);
  return type === 'p2sh' && equalBytes(hash160(Uint8Array.of(0x00, 20, ...own)), program);
}

/**
 * A text can be signed with a Bitcoin key in two ways: by BIP-137, 65 bytes from which the key is
 * recovered, and by the simple form of BIP-322, the witness of a virtual transaction.
 */
const LEGACY_LENGTH = 65;
const SIGHASH_ALL = 1;
/** The fields of the virtual transactions, most of which are zero. */
const ZERO_4 = new Uint8Array(4);
const [VERSION, SEQUENCE, LOCK_TIME, INDEX] = [ZERO_4, ZERO_4, ZERO_4, ZERO_4];
const NO_VALUE = new Uint8Array(8);
/** A single output: no value, OP_RETURN. */
const OUTPUT = Uint8Array.of(...NO_VALUE, 1, 0x6a);
const { taggedHash } = schnorr.utils;

/** Throws if no key can have made the signature. */
export function isSignedByBitcoin(address: string, message: string, signed: Uint8Array): boolean {
  const script = scriptOf(address);
  if (signed.length === LEGACY_LENGTH) return isLegacySigned(script, message, signed);
  const outpoint = Uint8Array.of(...toSpendId(script, message), ...INDEX);
  const witness = witnessStack(signed) ?? [];
  return script.type === 'p2tr'
    ? isTaprootSigned(script, outpoint, witness)
    : isSegwitSigned(script, outpoint, witness);
}

export const isBitcoinForm = (signed: Uint8Array): boolean =>
  signed.length === LEGACY_LENGTH || witnessStack(signed) !== null;

/** The first of the four header bytes of each address type, by BIP-137. */
const HEADERS: Partial<Record<Script['type'], number[]>> = {
  p2pkh: [27, 31],
  // Some wallets use the header of a compressed key (31) for every address type.
  p2sh: [35, 31],
  p2wpkh: [39, 31],
};

function isLegacySigned(script: Script, message: string, signed: Uint8Array): boolean {
  const header = signed[0] ?? 0;
  const first = HEADERS[script.type]?.find((start) => header >= start && header < start + 4);
  if (first === undefined) return false;
  const signature = secp256k1.Signature.fromBytes(signed.subarray(1));
  // Anybody can turn a signature into its other form; Bitcoin relays only the lower one (BIP-146).
  if (signature.hasHighS()) return false;
  const point = signature.addRecoveryBit(header - first).recoverPublicKey(legacyHash(message));
  return paysTo(script, point.toBytes(first !== 27));
}

function legacyHash(message: string): Uint8Array {
  const text = Buffer.from(message, 'utf8');
  const prefix = Buffer.from('\x18Bitcoin Signed Message:\n', 'latin1');
  return sha256d(Buffer.concat([prefix, lengthOf(text), text]));
}

/** A Bitcoin varint. No text here is longer than 2^16 bytes. */
function lengthOf({ length }: Uint8Array): Uint8Array {
  return length < 0xfd ? Uint8Array.of(length) : Uint8Array.of(0xfd, length & 0xff, length >> 8);
}

/** Parses a list of byte strings; it must not be empty, and nothing may follow it. */
function witnessStack(bytes: Uint8Array): Uint8Array[] | null {
  const [count = 0] = bytes;
  const items: Uint8Array[] = [];
  let rest = bytes.subarray(1);
  for (let index = 0; index < count; index++) {
    const [length = 0xff] = rest;
    // Longer items are scripts, which are not supported.
    if (length >= 0xfd || length >= rest.length) return null;
    items.push(rest.subarray(1, 1 + length));
    rest = rest.subarray(1 + length);
  }
  return count > 0 && rest.length === 0 ? items : null;
}

/** The hash of BIP-322's transaction `to_spend`, in the byte order of an outpoint. */
export function toSpendId({ bytes }: Script, message: string): Uint8Array {
  const messageHash = taggedHash('BIP0322-signed-message', Buffer.from(message, 'utf8'));
  const spent = [...new Uint8Array(32), 0xff, 0xff, 0xff, 0xff];
  const input = [...spent, 34, 0, 32, ...messageHash, ...SEQUENCE];
  const output = [...NO_VALUE, bytes.length, ...bytes];
  return sha256d(Uint8Array.of(...VERSION, 1, ...input, 1, ...output, ...LOCK_TIME));
}

/** BIP-143: a public key behind a hash. */
function isSegwitSigned(script: Script, outpoint: Uint8Array, witness: Uint8Array[]): boolean {
  const [signed, publicKey, ...more] = witness;
  if (!signed || publicKey?.length !== 33 || more.length > 0) return false;
  if (script.type === 'p2pkh' || !paysTo(script, publicKey)) return false;
  if (signed.at(-1) !== SIGHASH_ALL) return false;
  const code = payToKeyHash(hash160(publicKey));
  const inputs = [...sha256d(outpoint), ...sha256d(SEQUENCE)];
  const input = [...outpoint, code.length, ...code, ...NO_VALUE, ...SEQUENCE];
  const end = [...sha256d(OUTPUT), ...LOCK_TIME, SIGHASH_ALL, 0, 0, 0];
  const hash = sha256d(Uint8Array.of(...VERSION, ...inputs, ...input, ...end));
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return secp256k1.verify(signed.slice(0, -1), hash, publicKey, options);
}

/** BIP-341: key path only. */
function isTaprootSigned(script: Script, outpoint: Uint8Array, witness: Uint8Array[]): boolean {
  const [signed, ...more] = witness;
  if (!signed || more.length > 0) return false;
  // 64 bytes imply the default type; with 65 only ALL is accepted.
  const type = signed[64] ?? 0;
  if (signed.length === 65 ? type !== SIGHASH_ALL : signed.length !== 64) return false;
  const output = Uint8Array.of(script.bytes.length, ...script.bytes);
  const spent = [...sha256(outpoint), ...sha256(NO_VALUE), ...sha256(output)];
  const hashes = [...spent, ...sha256(SEQUENCE), ...sha256(OUTPUT)];
  const preimage = Uint8Array.of(0, type, ...VERSION, ...LOCK_TIME, ...hashes, 0, ...INDEX);
  return schnorr.verify(signed.slice(0, 64), taggedHash('TapSighash', preimage), script.program);
}
