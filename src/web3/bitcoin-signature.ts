import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hash160, paysTo, type Script, scriptOf, sha256d, taggedHash } from './bitcoin-script.ts';

/**
 * A text can be signed with a Bitcoin key in two ways: by BIP-137, 65 bytes from which the key is
 * recovered, and by the simple form of BIP-322, the witness of a virtual transaction.
 */
const LEGACY_LENGTH = 65;
const SIGHASH_ALL = 1;
const ZERO_4 = new Uint8Array(4);
const ZERO_8 = new Uint8Array(8);
/** A single output: no value, OP_RETURN. */
const OUTPUT = Uint8Array.of(...ZERO_8, 1, 0x6a);

export function isSignedByBitcoin(address: string, message: string, signed: Uint8Array): boolean {
  const script = scriptOf(address);
  try {
    return signed.length === LEGACY_LENGTH
      ? isLegacySigned(script, message, signed)
      : isWitnessed(script, message, witnessStack(signed));
  } catch {
    // Malformed, or not a point of the curve.
    return false;
  }
}

/** Whether the bytes have either form. */
export function isBitcoinForm(signed: Uint8Array): boolean {
  if (signed.length === LEGACY_LENGTH) return true;
  try {
    return witnessStack(signed).length > 0;
  } catch {
    return false;
  }
}

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

/** Parses a list of byte strings; nothing may follow it. */
function witnessStack(bytes: Uint8Array): Uint8Array[] {
  const [count = 0] = bytes;
  const items: Uint8Array[] = [];
  let at = 1;
  for (let index = 0; index < count; index++) {
    const end = at + 1 + (bytes[at] ?? 0);
    // Longer items are scripts, which are not supported.
    if ((bytes[at] ?? 0xff) >= 0xfd || end > bytes.length) throw new Error('not a witness stack');
    items.push(bytes.subarray(at + 1, end));
    at = end;
  }
  if (at !== bytes.length) throw new Error('not a witness stack');
  return items;
}

function isWitnessed(script: Script, message: string, witness: Uint8Array[]): boolean {
  const outpoint = Uint8Array.of(...toSpendId(script, message), ...ZERO_4);
  return script.type === 'p2tr'
    ? isTaprootSigned(script, outpoint, witness)
    : isSegwitSigned(script, outpoint, witness);
}

/** The hash of BIP-322's transaction `to_spend`, in the byte order of an outpoint. */
export function toSpendId({ bytes }: Script, message: string): Uint8Array {
  const messageHash = taggedHash('BIP0322-signed-message', Buffer.from(message, 'utf8'));
  const input = [...new Uint8Array(32), 0xff, 0xff, 0xff, 0xff, 34, 0, 32, ...messageHash];
  const output = [...ZERO_8, bytes.length, ...bytes];
  const body = [...ZERO_4, 1, ...input, ...ZERO_4, 1, ...output, ...ZERO_4];
  return sha256d(Uint8Array.from(body));
}

/** BIP-143: a public key behind a hash. */
function isSegwitSigned(script: Script, outpoint: Uint8Array, witness: Uint8Array[]): boolean {
  const [signed, publicKey, ...more] = witness;
  if (!signed || publicKey?.length !== 33 || more.length > 0) return false;
  if (script.type === 'p2pkh' || !paysTo(script, publicKey)) return false;
  if (signed.at(-1) !== SIGHASH_ALL) return false;
  const code = [25, 0x76, 0xa9, 20, ...hash160(publicKey), 0x88, 0xac];
  const preimage = Uint8Array.of(
    ...ZERO_4,
    ...sha256d(outpoint),
    ...sha256d(ZERO_4),
    ...outpoint,
    ...code,
    ...ZERO_8,
    ...ZERO_4,
    ...sha256d(OUTPUT),
    ...ZERO_4,
    ...[SIGHASH_ALL, 0, 0, 0],
  );
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return secp256k1.verify(signed.slice(0, -1), sha256d(preimage), publicKey, options);
}

/** BIP-341: key path only. */
function isTaprootSigned(script: Script, outpoint: Uint8Array, witness: Uint8Array[]): boolean {
  const [signed, ...more] = witness;
  if (!signed || more.length > 0) return false;
  const type = signed.length === 65 ? signed[64] : 0;
  // 64 bytes imply the default type; with 65 only ALL is accepted.
  if (signed.length === 65 ? type !== SIGHASH_ALL : signed.length !== 64) return false;
  const preimage = Uint8Array.of(
    0,
    type ?? 0,
    ...ZERO_4,
    ...ZERO_4,
    ...sha256(outpoint),
    ...sha256(ZERO_8),
    ...sha256(Uint8Array.of(script.bytes.length, ...script.bytes)),
    ...sha256(ZERO_4),
    ...sha256(OUTPUT),
    0,
    ...ZERO_4,
  );
  return schnorr.verify(signed.slice(0, 64), taggedHash('TapSighash', preimage), script.program);
}
