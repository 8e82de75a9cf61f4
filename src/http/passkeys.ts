import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidRequest, ProblemError } from '../contract/problems.ts';
import { MAX_PASSKEYS, type Passkey } from '../domain/person.ts';
import { answered } from '../domain/rules/sessions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  challengeIn,
  checkAssertion,
  type Expected,
  PasskeyFault,
  readRegistration,
  type SentAssertion,
  type SentRegistration,
} from '../webauthn/ceremonies.ts';

/** Long enough to find the device. */
const CHALLENGE_MS = 5 * 60_000;
const [TIME_BYTES, RANDOM_BYTES, SEAL_BYTES] = [6, 16, 16];

/**
 * What people sign in with. A challenge carries its end and the seal of this service, so nothing is
 * stored for somebody who only looks at the page; it is stored once it was answered.
 */
export class Passkeys {
  readonly #ledger: Ledger;
  /** All processes of a service have the same root key. */
  readonly #secret: string;

  constructor(ledger: Ledger, rootHash: string) {
    this.#ledger = ledger;
    this.#secret = hash('sha256', `challenges of ${rootHash}`);
  }

  issue(now = Date.now()): { challenge: string; expiresAt: number } {
    const expiresAt = now + CHALLENGE_MS;
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(expiresAt, 0, TIME_BYTES);
    const open = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
    const challenge = Buffer.concat([open, this.#sealOf(open)]).toString('base64url');
    return { challenge, expiresAt };
  }

  /** Whose passkey has signed. Throws a `PasskeyFault` for anything that is wrong. */
  async personOf(sent: SentAssertion & { id: string }, origin: string): Promise<string> {
    const { expected, expiresAt } = this.#expectedIn(sent, origin);
    const passkey = await this.#ledger.query('passkey', { passkeyId: sent.id });
    if (!passkey) throw new PasskeyFault('is not known here');
    const counter = checkAssertion(sent, passkey, expected);
    await this.#spend(expected.challenge, expiresAt);
    const use = { passkeyId: passkey.id, counter, at: Date.now() };
    const isUsed = await this.#ledger.housekeeping.usePasskey(use);
    if (!isUsed) throw new PasskeyFault('comes from a copy: its counter has not gone on');
    return passkey.personId;
  }

  /** Adds a passkey of a person. What is wrong with it is a fault of the request. */
  async add(
    personId: string,
    sent: SentRegistration,
    origin: string,
    userAgent: string | null,
  ): Promise<Passkey> {
    const all = await this.list(personId);
    if (all.length >= MAX_PASSKEYS) {
      throw new ProblemError('limit-reached', { limit: MAX_PASSKEYS, of: 'passkeys of a person' });
    }
    try {
      const { expected, expiresAt } = this.#expectedIn(sent, origin);
      const read = readRegistration(sent, expected);
      await this.#spend(expected.challenge, expiresAt);
      const now = { createdAt: Date.now(), lastUsedAt: null };
      const passkey = { ...read, personId, userAgent: userAgent?.slice(0, 256) ?? null, ...now };
      if (await this.#ledger.housekeeping.createPasskey(passkey)) return passkey;
      throw new PasskeyFault('is in use already');
    } catch (error) {
      if (!(error instanceof PasskeyFault)) throw error;
      const detail = `must be a new passkey of this page: this one ${error.message}`;
      throw invalidRequest([{ pointer: '/attestationObject', detail }]);
    }
  }

  list(personId: string): Promise<Passkey[]> {
    return this.#ledger.query('passkeys', { personId });
  }

  /** Never the last one: nobody can take away the only way in. */
  async remove(personId: string, passkeyId: string): Promise<void> {
    const all = await this.list(personId);
    const isOwn = all.some(({ id }) => id === passkeyId);
    if (!isOwn) throw new ProblemError('passkey-not-found', { passkeyId });
    const isRemoved = await this.#ledger.housekeeping.removePasskey({ personId, passkeyId });
    if (!isRemoved) throw new ProblemError('last-passkey');
  }

  /** Its challenge has to be one of this service, and not over. */
  #expectedIn({ clientDataJSON }: { clientDataJSON: string }, origin: string) {
    const challenge = challengeIn(clientDataJSON);
    const bytes = Buffer.from(challenge, 'base64url');
    const open = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
    const seal = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
    if (seal.length !== SEAL_BYTES || !timingSafeEqual(seal, this.#sealOf(open))) {
      throw new PasskeyFault('answers no challenge of this service');
    }
    const expiresAt = open.readUIntBE(0, TIME_BYTES);
    if (expiresAt <= Date.now()) throw new PasskeyFault('comes too late');
    return { expected: { challenge, origin } satisfies Expected, expiresAt };
  }

  /** Last, so that only a right answer writes anything. */
  async #spend(challenge: string, expiresAt: number): Promise<void> {
    const id = `challenge:${hash('sha256', challenge, 'base64url')}`;
    const isFirst = await this.#ledger.housekeeping.createSession(answered(id, expiresAt));
    if (!isFirst) throw new PasskeyFault('answers a challenge again');
  }

  #sealOf(open: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(open).digest().subarray(0, SEAL_BYTES);
  }
}
