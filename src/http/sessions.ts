import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import { generateKey, hasValidChecksum, parseKey } from '../domain/key-format.ts';
import type { Session } from '../domain/model.ts';
import { isOver, newSession } from '../domain/rules/sessions.ts';
import { Gate } from '../ledger/gate.ts';
import type { Caller, Ledger } from '../ledger/ledger.ts';
import type { ClientNetworks } from './client-networks.ts';
import { FreshCache, hasHash, type KeyRing, type Principal } from './key-ring.ts';
import type { WrongKeys } from './rate-limits.ts';

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
 * The sessions of the console. A session has a secret like a key, and may do what its key may,
 * whom the key ring knows: what ends the key ends its sessions, and they share its rate limit.
 */
export class Sessions {
  readonly #ledger: Ledger;
  readonly #keyRing: KeyRing;
  readonly #cookie: SessionCookie;
  readonly #wrongKeys: WrongKeys | null;
  readonly #cache = new FreshCache((id) => this.#ledger.query('session', { sessionId: id }));
  readonly #writes = new Gate(WRITE_LIMITS);
  #uses = new Map<string, number>();

  constructor({ ledger, keyRing, cookie, wrongKeys }: Parts) {
    this.#ledger = ledger;
    this.#keyRing = keyRing;
    this.#cookie = cookie;
    this.#wrongKeys = wrongKeys;
  }

  /** Who calls without a key: the session in the cookie. */
  async identify(request: IncomingMessage, reply: FastifyReply): Promise<Principal> {
    const token = this.#cookie.read(request);
    if (token === null) {
      throw new ProblemError('unauthorized', { reason: 'The request has no API key.' });
    }
    const sent = request.headers[CONSOLE_HEADER];
    if (sent !== ATTENDED && sent !== UNATTENDED) throw new ProblemError('console-header-missing');
    const principal = await this.#principalOf(token);
    if (!principal) {
      reply.header('set-cookie', this.#cookie.clear(request));
      throw this.#refusal(request, 'session-ended');
    }
    if (sent === ATTENDED) this.#countUse(principal);
    return principal;
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
    const found = await this.#find(code);
    if (found?.isCode) {
      const key = await this.#keyRing.principalOf(found.keyId);
      const redeem = async (signedIn: Principal): Promise<Created | null> =>
        (await this.#end(found.id)) ? this.#create(signedIn, request) : null;
      const created = key && (await this.#inTurn(key, caller, () => redeem(key)));
      if (created) {
        this.#keyRing.countUse(key);
        return created;
      }
    }
    throw this.#refusal(request, 'code-not-valid');
  }

  /** Refuses further codes from where too many wrong ones came. */
  checkCodes(request: IncomingMessage): void {
    if (this.#wrongKeys?.mayBeRoot(request) === false) throw this.#wrongKeys.count(request);
  }

  /** The sessions of the caller's key that are not over. */
  async list(caller: Principal): Promise<Session[]> {
    const sessions = await this.#ledger.query('sessions', { keyId: this.#ownerOf(caller) });
    return sessions.filter((session) => !isOver(session, Date.now()));
  }

  /** Ends a session of the caller's key; returns the header that clears its own cookie, if so. */
  async end(key: Principal, sessionId: string, request: IncomingMessage, caller: Caller) {
    const session = await this.#ledger.query('session', { sessionId });
    const mayEnd = session?.keyId === key.keyId || key.scopes.has('root');
    const end = () => this.#inTurn(key, caller, () => this.#end(sessionId));
    if (!session || session.isCode || !mayEnd || !(await end())) {
      throw new ProblemError('session-not-found', { sessionId });
    }
    return sessionId === key.session?.id ? this.#cookie.clear(request) : null;
  }

  /** Whether a session has not ended. Counts no use. */
  async isOpen(sessionId: string): Promise<boolean> {
    const found = await this.#cache.find(sessionId);
    if (found === null || isOver(found, Date.now())) return false;
    return (await this.#keyRing.principalOf(found.keyId)) !== null;
  }

  /** Stores when sessions were last used. */
  async saveUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([sessionId, at]) => ({ sessionId, at }));
    this.#uses = new Map();
    await this.#ledger.housekeeping.recordSessionUse(uses);
  }

  /** What the sessions of a key are stored under. */
  #ownerOf({ keyId }: Principal): string {
    return keyId ?? this.#keyRing.rootSessionKeyId;
  }

  async #create(key: Principal, request: IncomingMessage): Promise<Created> {
    const { key: token, newKey } = generateKey();
    const keyId = this.#ownerOf(key);
    const { keyExpiresAt } = key;
    const userAgent = request.headers['user-agent'] ?? null;
    const session = newSession({ newKey, keyId, keyExpiresAt, userAgent, now: Date.now() });
    await this.#ledger.housekeeping.createSession(session);
    return { principal: withSession(key, session), cookie: this.#cookie.set(request, token) };
  }

  async #end(sessionId: string): Promise<boolean> {
    const isEnded = await this.#ledger.housekeeping.endSession(sessionId);
    this.#cache.forget(sessionId);
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
    const key = await this.#keyRing.principalOf(found.keyId);
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
    this.#keyRing.countUse(principal);
  }

  /** A wrong session or code counts as a wrong key. */
  #refusal(request: IncomingMessage, code: 'session-ended' | 'code-not-valid'): ProblemError {
    const counted = this.#wrongKeys?.count(request);
    return counted?.code === 'rate-limited' ? counted : new ProblemError(code);
  }
}

const withSession = (key: Principal, session: Session): Principal => ({
  ...key,
  actor: `${key.actor}/session:${session.id}`,
  session,
});

/** As long as a session lasts at most: it ends earlier on the server. */
const MAX_AGE_SECONDS = 7 * 24 * 3600;

/**
 * The cookie of a session. Over https it has the prefix by which browsers make sure that this host
 * has set it, not a neighbour under the same domain.
 */
export class SessionCookie {
  readonly #networks: ClientNetworks;
  readonly #isAlwaysHttps: boolean;

  constructor(networks: ClientNetworks, isAlwaysHttps: boolean) {
    this.#networks = networks;
    this.#isAlwaysHttps = isAlwaysHttps;
  }

  /** Null if there is none, or several: which one was meant must not be guessed. */
  read(request: IncomingMessage): string | null {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const start = `${this.#name(request)}=`;
    const found = cookie.split(/; */).filter((pair) => pair.startsWith(start));
    return found.length === 1 ? (found[0]?.slice(start.length) ?? null) : null;
  }

  /** The header that sets it. */
  set(request: IncomingMessage, value: string): string {
    return this.#header(request, value, MAX_AGE_SECONDS);
  }

  /** The header that deletes it. */
  clear(request: IncomingMessage): string {
    return this.#header(request, '', 0);
  }

  #header(request: IncomingMessage, value: string, maxAge: number): string {
    const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
    const secure = this.#isHttps(request) ? '; Secure' : '';
    return `${this.#name(request)}=${value}; ${attributes}${secure}`;
  }

  #name(request: IncomingMessage): string {
    return this.#isHttps(request) ? '__Host-realmkeep' : 'realmkeep';
  }

  #isHttps(request: IncomingMessage): boolean {
    return this.#isAlwaysHttps || this.#networks.isHttps(request);
  }
}
