import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** What authenticators write: integers, bytes, texts, lists and maps (RFC 8949, canonical). */
type Cbor = number | string | boolean | null | Buffer | Cbor[] | CborMap;
type CborMap = Map<Cbor, Cbor>;

/** No authenticator nests deeper than this. */
const MAX_DEPTH = 4;

const SIMPLE: ReadonlyMap<number, Cbor> = new Map([
  [20, false],
  [21, true],
  [22, null],
]);

/** The first value of the bytes, and where it ends. Throws if there is none. */
export function readCbor(bytes: Buffer, start = 0, depth = 0): { value: Cbor; end: number } {
  const [kind, short] = [(bytes[start] ?? 0xff) >> 5, (bytes[start] ?? 0xff) & 31];
  const { length, at } = lengthAt(bytes, start + 1, short);
  if (depth > MAX_DEPTH) throw new RangeError('CBOR that is nested too deeply');
  if (kind === 0) return { value: length, end: at };
  if (kind === 1) return { value: -1 - length, end: at };
  if (kind === 2 || kind === 3) {
    const end = at + length;
    if (end > bytes.length) throw new RangeError('CBOR that ends too early');
    const part = bytes.subarray(at, end);
    return { value: kind === 2 ? part : part.toString('utf8'), end };
  }
  if (kind === 4 || kind === 5) {
    const values: Cbor[] = [];
    let end = at;
    for (let left = kind === 5 ? 2 * length : length; left > 0; left--) {
      const each = readCbor(bytes, end, depth + 1);
      values.push(each.value);
      end = each.end;
    }
    return { value: kind === 4 ? values : mapOf(values), end };
  }
  const value = kind === 7 ? SIMPLE.get(short) : undefined;
  if (value === undefined) throw new RangeError('CBOR of a kind that no authenticator writes');
  return { value, end: at };
}

/** The number that follows a head: a value itself, or a length. */
function lengthAt(bytes: Buffer, at: number, short: number): { length: number; at: number } {
  if (short < 24) return { length: short, at };
  const size = { 24: 1, 25: 2, 26: 4 }[short];
  if (size === undefined) throw new RangeError('CBOR of an indefinite or a great length');
  return { length: bytes.readUIntBE(at, size), at: at + size };
}

const mapOf = (values: Cbor[]): CborMap =>
  new Map(values.flatMap((key, at) => (at % 2 === 0 ? [[key, values[at + 1] as Cbor]] : [])));

const MIN_RSA_BITS = 2_048;

/** The labels of a COSE key (RFC 9053); those below 0 depend on its type. */
const [TYPE, ALGORITHM, CURVE, X, Y, N, E] = [1, 3, -1, -2, -3, -1, -2];

/** A COSE key of EdDSA, ES256 or RS256 as an SPKI in base64url; null for any other. */
function spkiOf(cose: CborMap): string | null {
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
function isSignedBy(spki: string, data: Buffer, signature: Buffer): boolean {
  const der = Buffer.from(spki, 'base64url');
  const key: KeyObject = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, signature);
}

/** Why what an authenticator sent is refused, as the end of a sentence about it. */
export class PasskeyFault extends Error {}

/** What every answer of an authenticator has to be about. */
export interface Expected {
  challenge: string;
  /** Of the page, such as `https://points.example.com`. Passkeys belong to its host. */
  origin: string;
}

/** Everything in base64url, as the browser returns it. */
export interface SentRegistration {
  clientDataJSON: string;
  attestationObject: string;
}

export interface SentAssertion {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}

const [USER_PRESENT, BACKUP_ELIGIBLE, BACKED_UP] = [0x01, 0x08, 0x10];
const [HAS_KEY, HAS_EXTENSIONS] = [0x40, 0x80];
const [FLAGS_AT, COUNTER_AT, REST_AT, AAGUID_BYTES] = [32, 33, 37, 16];

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
const sha256 = (data: Buffer | string): Buffer => hash('sha256', data, 'buffer');

/** The challenge that was answered: the caller has to look whether it has issued it. */
export function challengeIn(clientDataJSON: string): string {
  const { challenge } = clientDataOf(clientDataJSON);
  if (typeof challenge === 'string') return challenge;
  throw new PasskeyFault('names no challenge');
}

/** A new passkey. What vouches for the authenticator is not looked at: none is asked for. */
export function readRegistration(sent: SentRegistration, expected: Expected) {
  checkClientData(sent.clientDataJSON, 'webauthn.create', expected);
  const data = reading(() => mapIn(readWhole(bytesOf(sent.attestationObject))).get('authData'));
  if (!Buffer.isBuffer(data)) throw new PasskeyFault('has no authenticator data');
  const { flags, counter } = checkAuthenticatorData(data, expected);
  if ((flags & HAS_KEY) === 0) throw new PasskeyFault('has no key');
  return { ...reading(() => keyIn(data, flags)), counter };
}

/** A signature by a passkey; returns its new counter. */
export function checkAssertion(
  sent: SentAssertion,
  passkey: { publicKey: string; counter: number },
  expected: Expected,
): number {
  checkClientData(sent.clientDataJSON, 'webauthn.get', expected);
  const data = bytesOf(sent.authenticatorData);
  const { flags, counter } = checkAuthenticatorData(data, expected);
  checkEnd(data, REST_AT, flags);
  const signed = Buffer.concat([data, sha256(bytesOf(sent.clientDataJSON))]);
  if (!reading(() => isSignedBy(passkey.publicKey, signed, bytesOf(sent.signature)))) {
    throw new PasskeyFault('has a wrong signature');
  }
  if (counter <= passkey.counter && counter + passkey.counter > 0) {
    throw new PasskeyFault('comes from a copy: its counter has not gone on');
  }
  return counter;
}

function checkClientData(text: string, type: string, { challenge, origin }: Expected): void {
  const data = clientDataOf(text);
  if (data.type !== type) throw new PasskeyFault('is of another kind');
  if (data.challenge !== challenge) throw new PasskeyFault('answers another challenge');
  if (data.origin !== origin) throw new PasskeyFault(`is for another address than ${origin}`);
  if (data.crossOrigin === true) throw new PasskeyFault('was made within a page of another site');
}

function clientDataOf(text: string): Record<string, unknown> {
  const data = reading(() => JSON.parse(bytesOf(text).toString('utf8')));
  return typeof data === 'object' && data !== null ? data : {};
}

/** User verification is preferred, not required: who has the device may have no PIN. */
function checkAuthenticatorData(data: Buffer, { origin }: Expected) {
  if (data.length < REST_AT) throw new PasskeyFault('is too short');
  if (!data.subarray(0, FLAGS_AT).equals(sha256(new URL(origin).hostname))) {
    throw new PasskeyFault('is for another host');
  }
  const flags = data.readUInt8(FLAGS_AT);
  if ((flags & USER_PRESENT) === 0) throw new PasskeyFault('was made without anybody present');
  if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0) {
    throw new PasskeyFault('contradicts itself');
  }
  return { flags, counter: data.readUInt32BE(COUNTER_AT) };
}

function keyIn(data: Buffer, flags: number): { id: string; publicKey: string } {
  const at = REST_AT + AAGUID_BYTES + 2;
  const start = at + data.readUInt16BE(at - 2);
  const id = data.subarray(at, start).toString('base64url');
  const { value, end } = readCbor(data, start);
  checkEnd(data, end, flags);
  const publicKey = spkiOf(mapIn(value));
  if (id === '' || publicKey === null) throw new PasskeyFault('has a key of another algorithm');
  return { id, publicKey };
}

/** Nothing follows but extensions, if there are any. */
function checkEnd(data: Buffer, at: number, flags: number): void {
  const end = (flags & HAS_EXTENSIONS) === 0 ? at : reading(() => readCbor(data, at).end);
  if (end !== data.length) throw new PasskeyFault('has more or less than it says');
}

function readWhole(bytes: Buffer): Cbor {
  const { value, end } = readCbor(bytes);
  if (end !== bytes.length) throw new PasskeyFault('has more than it says');
  return value;
}

function mapIn(value: Cbor): CborMap {
  if (value instanceof Map) return value;
  throw new PasskeyFault('has another form');
}

/** Whatever fails while bytes from outside are read is their fault. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PasskeyFault) throw error;
    throw new PasskeyFault('cannot be read');
  }
}
