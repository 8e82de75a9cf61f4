import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { CborMap } from './cbor.ts';

const MIN_RSA_BITS = 2_048;

/** The labels of a COSE key (RFC 9053); those below 0 depend on its type. */
const [TYPE, ALGORITHM, CURVE, X, Y, N, E] = [1, 3, -1, -2, -3, -1, -2];

/** A COSE key of EdDSA, ES256 or RS256 as an SPKI in base64url; null for any other. */
export function spkiOf(cose: CborMap): string | null {
  const jwk = jwkOf(cose);
  if (!jwk) return null;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const { modulusLength = MIN_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS) return null;
  return key.export({ type: 'spki', format: 'der' }).toString('base64url');
}

function jwkOf(cose: CborMap): Record<string, string> | null {
  const text = (label: number): string => {
    const value = cose.get(label);
    return Buffer.isBuffer(value) ? value.toString('base64url') : '';
  };
  const is = (type: number, algorithm: number, curve?: number): boolean =>
    cose.get(TYPE) === type &&
    cose.get(ALGORITHM) === algorithm &&
    (curve === undefined || cose.get(CURVE) === curve);
  if (is(1, -8, 6)) return { kty: 'OKP', crv: 'Ed25519', x: text(X) };
  if (is(2, -7, 1)) return { kty: 'EC', crv: 'P-256', x: text(X), y: text(Y) };
  return is(3, -257) ? { kty: 'RSA', n: text(N), e: text(E) } : null;
}

/** Whether a signature is by the key. Ed25519 has a digest of its own. */
export function isSignedBy(spki: string, data: Buffer, signature: Buffer): boolean {
  const der = Buffer.from(spki, 'base64url');
  const key: KeyObject = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, signature);
}
