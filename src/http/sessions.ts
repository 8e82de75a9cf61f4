import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import { generateKey, hasValidChecksum, isPersonId, parseKey } from '../domain/key-format.ts';
import type { Session } from '../domain/model.ts';
import { invitation, isOver, newSession } from '../domain/rules/sessions.ts';
import { Gate } from '../ledger/gate.ts';
import type { Caller, Ledger } from '../ledger/ledger.ts';
import { FreshCache } from './fresh-cache.ts';
import { hasHash, type KeyRing, type Principal } from './key-ring.ts';
import type { WrongKeys } from './rate-limits.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Only pages of this origin can send it: other origins would have to be allowed to. */
const CONSOLE_HEADER = 'x-realmkeep-console';
/** Its values: somebody is there, or the page calls by itself, which is no use of the session. */
const ATTENDED = '1';
const UNATTENDED = 'unattended';

/**
 * Each is a transaction of its own, on SQLite in the thread that commits: one at a time, so that
 * commits are written in between. What may wait is a few seconds' work.
 */
const WRITE_LIMITS = { window: 1, perRealm: 500, inAll: 2_000 };

type Refusal = 'session-ended' | 'code-not-valid' | 'passkey-not-valid';

interface Created {
  principal: Principal;
  cookie: string;
}

interface Parts {
  ledger: Ledger;
  keyRing: KeyRing;
  cookie: SessionCookie;
  wrongKeys: WrongKeys | null;
}

/**
 * The sessions of the console. A session has a secret like a key, and may do what its key or person
 * may, whom the key ring knows: what ends either ends the sessions, and they share a rate limit.
 */
export class Sessions {
  /** Emits the id of a session, or a person, that was ended by this process. */
  readonly ended = new EventEmitter().setMaxListeners(0);
  readonly #parts: Parts;
  readonly #cache = new FreshCache((id) => this.#parts.ledger.query('session', { sessionId: id }));
  readonly #writes = new Gate(WRITE_LIMITS);
  #uses = new Map<string, number>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Who calls without a key: the session in the cookie. */
  async identify(request: IncomingMessage, reply: FastifyReply): Promise<Principal> {
    const token = this.#parts.cookie.read(request);
    if (token === null) {
      throw new ProblemError('unauthorized', { reason: 'The request has no API key.' });
    }
    const sent = request.headers[CONSOLE_HEADER];
    if (sent !== ATTENDED && sent !== UNATTENDED) throw new ProblemError('console-header-missing');
    const principal = await this.#principalOf(token);
    if (!principal) {
      reply.header('set-cookie', this.#parts.cookie.clear(request));
      throw this.refusal(request, 'session-ended');
    }
    if (sent === ATTENDED) this.#countUse(principal);
    return principal;
  }

  /** Who looks at an image, which sends no header; null if nobody has signed in. */
  async viewerOf(request: IncomingMessage): Promise<Principal | null> {
    const token = this.#parts.cookie.read(request);
    return token === null ? null : this.#principalOf(token);
  }

  /** Creates a session of the caller; returns it as a caller, and the header of its cookie. */
  create(key: Principal, request: IncomingMessage, caller: Caller): Promise<Created> {
    return this.#inTurn(key, caller, () => this.#create(key, request));
  }

  /**
   * Creates a session for a one-time code. It counts once, whoever else sends it at the same time,
   * and has one turn with its session: who is refused can send it again.
   */
  async redeem(code: string, request: IncomingMessage, caller: Caller): Promise<Created> {
    const found = await this.findCode(code);
    if (found) {
      const key = await this.#parts.keyRing.principalOf(found.keyId);
      const redeem = async (signedIn: Principal): Promise<Created | null> =>
        (await this.spend(found.id)) ? this.#create(signedIn, request) : null;
      const created = key && (await this.#inTurn(key, caller, () => redeem(key)));
      if (created) return await this.#entered(created);
    }
    throw this.refusal(request, 'code-not-valid');
  }

  /** A one-time code that is not over. */
  async findCode(code: string): Promise<Session | null> {
    const found = await this.#find(code);
    return found?.isCode ? found : null;
  }

  /** Creates a session of a person who has shown a passkey. */
  async enter(personId: string, request: IncomingMessage, caller: Caller): Promise<Created> {
    const person = await this.#parts.keyRing.principalOf(personId);
    if (!person) {
      throw this.refusal(request, 'passkey-not-valid', { reason: 'is of nobody here' });
    }
    return this.#entered(await this.create(person, request, caller));
  }

  /** A one-time code for a person, in place of the one before. */
  async invite(personId: string): Promise<{ code: string; expiresAt: number }> {
    const { key: code, newKey } = generateKey();
    const session = invitation({ newKey, keyId: personId, now: Date.now() });
    await this.#parts.ledger.housekeeping.replaceCodes(session);
    return { code, expiresAt: session.expiresAt };
  }

  /** Ends all that a person who was removed has, at once in this process. */
  async endAllOf(personId: string): Promise<void> {
    this.#parts.keyRing.forget(personId);
    this.ended.emit(personId);
    await this.#parts.ledger.housekeeping.removeAccess(personId);
  }

  /** Refuses further codes from where too many wrong ones came. */
  checkCodes(request: IncomingMessage): void {
    if (this.#parts.wrongKeys?.mayBeRoot(request) === false)
      throw this.#parts.wrongKeys.count(request);
  }

  /** The sessions of the caller's key, or of a person, that are not over. */
  async list(caller: Principal, personId?: string): Promise<Session[]> {
    if (personId !== undefined && !(await this.#mayManage(caller, personId))) {
      throw new ProblemError('person-not-found', { personId });
    }
    const keyId = personId ?? this.#ownerOf(caller);
    const sessions = await this.#parts.ledger.query('sessions', { keyId });
    return sessions.filter((session) => !isOver(session, Date.now()));
  }

  /**
   * Ends a session of the caller's key, or of a person whom it manages; returns the header that
   * clears its own cookie, if so.
   */
  async end(key: Principal, sessionId: string, request: IncomingMessage, caller: Caller) {
    const session = await this.#parts.ledger.query('session', { sessionId });
    const mayEnd = session && (await this.#mayManage(key, session.keyId));
    const end = () => this.#inTurn(key, caller, () => this.spend(sessionId));
    if (!mayEnd || session.isCode || !(await end())) {
      throw new ProblemError('session-not-found', { sessionId });
    }
    return sessionId === key.session?.id ? this.#parts.cookie.clear(request) : null;
  }

  /** Whether a session has not ended. Counts no use. */
  async isOpen(sessionId: string): Promise<boolean> {
    const found = await this.#cache.find(sessionId);
    if (found === null || isOver(found, Date.now())) return false;
    return (await this.#parts.keyRing.principalOf(found.keyId)) !== null;
  }

  async saveUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([sessionId, at]) => ({ sessionId, at }));
    this.#uses = new Map();
    await this.#parts.ledger.housekeeping.recordSessionUse(uses);
  }

  /** One's own; root any; an admin those of the people of the realm. */
  async #mayManage({ keyId, realmId, scopes }: Principal, ownerId: string): Promise<boolean> {
    if (ownerId === keyId || scopes.has('root')) return true;
    if (!scopes.has('admin') || !isPersonId(ownerId)) return false;
    return (await this.#parts.keyRing.principalOf(ownerId))?.realmId === realmId;
  }

  /** Whoever has signed in is seen at once, not only when uses are stored next. */
  async #entered(created: Created): Promise<Created> {
    this.#parts.keyRing.countUse(created.principal);
    if (created.principal.person) await this.#parts.keyRing.saveUses().catch(() => undefined);
    return created;
  }

  /** What the sessions of a key are stored under. */
  #ownerOf({ keyId }: Principal): string {
    return keyId ?? this.#parts.keyRing.rootSessionKeyId;
  }

  async #create(key: Principal, request: IncomingMessage): Promise<Created> {
    const { key: token, newKey } = generateKey();
    const keyId = this.#ownerOf(key);
    const { keyExpiresAt } = key;
    const userAgent = request.headers['user-agent'] ?? null;
    const session = newSession({ newKey, keyId, keyExpiresAt, userAgent, now: Date.now() });
    await this.#parts.ledger.housekeeping.createSession(session);
    return { principal: withSession(key, session), cookie: this.#parts.cookie.set(request, token) };
  }

  /** Ends a session or a code: of several who do, one succeeds. */
  async spend(sessionId: string): Promise<boolean> {
    const isEnded = await this.#parts.ledger.housekeeping.endSession(sessionId);
    this.#cache.forget(sessionId);
    this.ended.emit(sessionId);
    return isEnded;
  }

  /** Writes when it is the turn of the key's realm; those of the root key are like one. */
  #inTurn<T>({ realmId }: Principal, caller: Caller, write: () => T | Promise<T>): Promise<T> {
    return this.#writes.pass(realmId ?? '', 1, caller, write);
  }

  /** The session as a caller; null if it is over, or its key. */
  async #principalOf(token: string): Promise<Principal | null> {
    const found = await this.#find(token);
    if (!found || found.isCode) return null;
    const key = await this.#parts.keyRing.principalOf(found.keyId);
    return key && withSession(key, found);
  }

  /** What the token is of, unless it is over. */
  async #find(token: string): Promise<Session | null> {
    const parsed = parseKey(token);
    if (!parsed || !hasValidChecksum(token)) return null;
    const found = await this.#cache.find(parsed.id);
    const isFound = found && hasHash(parsed.secret, found.secretHash) && !isOver(found, Date.now());
    return isFound ? found : null;
  }

  #countUse(principal: Principal): void {
    if (principal.session) this.#uses.set(principal.session.id, Date.now());
    this.#parts.keyRing.countUse(principal);
  }

  /** A wrong session, code or passkey counts as a wrong key. */
  refusal(request: IncomingMessage, code: Refusal, extra = {}): ProblemError {
    const counted = this.#parts.wrongKeys?.count(request);
    return counted?.code === 'rate-limited' ? counted : new ProblemError(code, extra);
  }
}

const withSession = (key: Principal, session: Session): Principal => ({
  ...key,
  actor: key.person ? key.actor : `${key.actor}/session:${session.id}`,
  session,
});
