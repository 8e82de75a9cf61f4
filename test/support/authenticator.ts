import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';

export const ALGORITHMS = ['ES256', 'EdDSA', 'RS256'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** What a page tells its browser. */
interface Asked {
  challenge: string;
  origin: string;
}

/** What is said of an answer, or wrong with it. */
export interface Said {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: boolean;
  host?: string;
  flags?: number;
  counter?: number;
  /** Behind everything else of the authenticator data. */
  extensions?: Buffer;
  /** Signs in place of its own key. */
  by?: KeyObject;
  /** In place of its own COSE key. */
  cose?: Map<number, number | Buffer>;
}

const KEYS = new Map<Algorithm, () => { publicKey: KeyObject; privateKey: KeyObject }>([
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['EdDSA', () => generateKeyPairSync('ed25519')],
  ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
]);

const sha256 = (data: Buffer | string): Buffer => hash('sha256', data, 'buffer');

/** Makes passkeys and signs with them as a browser and its authenticator do, in software. */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly algorithm: Algorithm;
  readonly privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  counter = 0;

  constructor(algorithm: Algorithm = 'ES256') {
    this.algorithm = algorithm;
    const { publicKey, privateKey } = KEYS.get(algorithm)?.() ?? this.#fail();
    [this.#publicKey, this.privateKey] = [publicKey, privateKey];
  }

  /** What is sent to add the passkey. */
  register(asked: Asked, said: Said = {}) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const key = encode(said.cose ?? this.cose());
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const authData = this.#dataOf(asked, { flags: 0x45, ...said }, attested);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      clientDataJSON: clientData('webauthn.create', asked, said).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
    };
  }

  /** What is sent to sign in. */
  assert(asked: Asked, said: Said = {}) {
    const client = clientData('webauthn.get', asked, said);
    const data = this.#dataOf(asked, { flags: 0x05, ...said }, Buffer.alloc(0));
    const key = said.by ?? this.privateKey;
    const digest = this.algorithm === 'EdDSA' ? null : 'sha256';
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign(digest, Buffer.concat([data, sha256(client)]), key).toString('base64url'),
    };
  }

  cose(): Map<number, number | Buffer> {
    const jwk = this.#publicKey.export({ format: 'jwk' });
    const part = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(String(jwk[name]), 'base64url');
    const byAlgorithm: Record<Algorithm, () => [number, number | Buffer][]> = {
      ES256: () => [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, part('x')],
        [-3, part('y')],
      ],
      EdDSA: () => [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, part('x')],
      ],
      RS256: () => [
        [1, 3],
        [3, -257],
        [-1, part('n')],
        [-2, part('e')],
      ],
    };
    return new Map(byAlgorithm[this.algorithm]());
  }

  #dataOf({ origin }: Asked, said: Said, rest: Buffer): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(said.flags ?? 0);
    head.writeUInt32BE(said.counter ?? this.counter, 1);
    const host = sha256(said.host ?? new URL(origin).hostname);
    return Buffer.concat([host, head, rest, said.extensions ?? Buffer.alloc(0)]);
  }

  #fail(): never {
    throw new Error(`no key of ${this.algorithm}`);
  }
}

function clientData(type: string, asked: Asked, said: Said): Buffer {
  const { challenge, origin, crossOrigin = false } = { ...asked, ...said };
  return Buffer.from(JSON.stringify({ type: said.type ?? type, challenge, origin, crossOrigin }));
}

/** CBOR, as far as authenticators need it. */
export function encode(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const map = value as Map<unknown, unknown>;
  return Buffer.concat([head(5, map.size), ...[...map].flat().map(encode)]);
}

function head(kind: number, length: number): Buffer {
  const first = kind << 5;
  if (length < 24) return Buffer.from([first | length]);
  if (length < 256) return Buffer.from([first | 24, length]);
  return Buffer.from([first | 25, length >> 8, length & 255]);
}
