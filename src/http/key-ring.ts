import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';
import { hashSecret, hasValidChecksum, parseKey, rootSessionKeyId } from '../domain/key-format.ts';
import type { RateLimit, Scope, Session } from '../domain/model.ts';
import type { LimitedKey } from '../domain/queries.ts';
import { Unavailable } from '../ledger/errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isRepeated } from './connections.ts';
import { KeyLimit, setLast, type WrongKeys, wrongKey } from './rate-limits.ts';

/** The caller. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  /** Null for the root key. */
  keyId: string | null;
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
  /** Null if its requests are not limited, as those of the root key. */
  limit: KeyLimit | null;
  /** Null for the root key, as the next one. */
  keyName: string | null;
  keyExpiresAt: number | null;
  /** The session that it calls from; null if it calls with its key. */
  session: Session | null;
}

/** How callers are limited. */
interface CallerLimits {
  /** Of each key whose realm has no limit of its own. */
  perKey: RateLimit;
  wrongKeys: WrongKeys;
}

interface CachedKey {
  keyId: string;
  principal: Principal;
  secretHash: string;
}

const ROOT: Principal = {
  actor: 'root',
  keyId: null,
  realmId: null,
  scopes: new Set(['read', 'write', 'admin', 'root'] as const),
  limit: null,
  keyName: null,
  keyExpiresAt: null,
  session: null,
};

/** A caller that has no key yet, where none is required. */
export const ANONYMOUS: Principal = {
  ...ROOT,
  actor: 'anonymous',
  scopes: new Set(['read'] as const),
};

/** An entry in use is looked up again after this long, while its callers are still admitted. */
const REFRESH_MS = 1_000;
/**
 * A revoked key must be rejected on every node within 2 seconds. An entry is no younger than its
 * look-up, so a key that was revoked after it is admitted for less than this.
 */
const VALID_MS = 1_800;

/** Caches what the store knows of a key or a session, for a moment. */
export class FreshCache<T> {
  readonly #lookUp: (id: string) => Promise<T | null>;
  /** Those in use are looked up again and again, so the first one has not been used for longest. */
  readonly #entries = new Map<string, { value: T; loadedAt: number }>();
  readonly #loading = new Map<string, Promise<T | null>>();

  constructor(lookUp: (id: string) => Promise<T | null>) {
    this.#lookUp = lookUp;
  }

  /** Callers share a look-up in progress. */
  async find(id: string): Promise<T | null> {
    return this.valid(id) ?? this.#load(id);
  }

  /** An entry in use is refreshed in time, so that its callers never wait for a look-up. */
  valid(id: string): T | null {
    const entry = this.#entries.get(id);
    if (!entry) return null;
    const age = performance.now() - entry.loadedAt;
    if (age >= VALID_MS) return null;
    // If it fails, the entry expires, and then callers get to know.
    if (age >= REFRESH_MS) this.#load(id).catch(() => undefined);
    return entry.value;
  }

  /** The entry, however old. */
  last(id: string): T | undefined {
    return this.#entries.get(id)?.value;
  }

  /** The next use queries the store. */
  forget(id: string): void {
    this.#entries.delete(id);
    this.#loading.delete(id);
  }

  forgetAll(): void {
    this.#entries.clear();
    this.#loading.clear();
  }

  #load(id: string): Promise<T | null> {
    const loading = this.#loading.get(id);
    if (loading) return loading;
    const loadedAt = performance.now();
    const load: Promise<T | null> = this.#lookUp(id)
      .then((value) => {
        if (performance.now() - loadedAt >= VALID_MS) {
          throw new Unavailable('overloaded', 'the look-up of a key took too long');
        }
        // If it was forgotten meanwhile, the entry may already be out of date.
        if (this.#loading.get(id) !== load) return value;
        if (value) setLast(this.#entries, id, { value, loadedAt });
        else this.#entries.delete(id);
        return value;
      })
      .finally(() => {
        if (this.#loading.get(id) === load) this.#loading.delete(id);
      });
    this.#loading.set(id, load);
    return load;
  }
}

/** Identifies callers by their keys. */
export class KeyRing {
  /** What root sessions are stored under. */
  readonly rootSessionKeyId: string;
  readonly #ledger: Ledger;
  readonly #rootHash: string;
  readonly #limits: CallerLimits | null;
  readonly #keys = new FreshCache((keyId) => this.#lookUp(keyId));
  /**
   * The cached keys by their whole text, once verified, so that hashing happens once a second. An
   * entry counts only while it is also the valid one in `#keys`. A look-up in a hash map does not
   * reveal how much of a wrong key was right.
   */
  readonly #verified = new Map<string, CachedKey>();
  #uses = new Map<string, number>();

  /** Without limits, nobody is limited. */
  constructor(ledger: Ledger, rootHash: string, limits: CallerLimits | null) {
    this.#ledger = ledger;
    this.#rootHash = rootHash;
    this.rootSessionKeyId = rootSessionKeyId(rootHash);
    this.#limits = limits;
  }

  /** Whose key it is that came with a request. Synchronous if it was verified, as nearly always. */
  identify(key: string, request: IncomingMessage): Principal | Promise<Principal> {
    const verified = this.#verified.get(key);
    if (verified && verified === this.#keys.valid(verified.keyId)) return this.#use(verified);
    return this.#verify(key, request);
  }

  /** Whom a session of this key acts for; null if the key is not valid any more. Counts no use. */
  async principalOf(keyId: string): Promise<Principal | null> {
    if (keyId === this.rootSessionKeyId) return ROOT;
    const key = await this.#keys.find(keyId);
    return key && !hasExpired(key) ? key.principal : null;
  }

  /** Says that a session of the key is in use, and so the key. */
  countUse({ keyId }: Principal): void {
    if (keyId !== null) this.#uses.set(keyId, Date.now());
  }

  /** The next use of the key queries the store. */
  forget(keyId: string): void {
    this.#keys.forget(keyId);
  }

  /** The same for all keys. */
  forgetAll(): void {
    this.#keys.forgetAll();
  }

  /**
   * A key and those that have replaced it, as they are in the store now; null if the key is no
   * longer valid. Of several, it is the last one that counts when it comes to expiry.
   */
  async lineage(keyId: string): Promise<{ keyIds: string[]; expiresAt: number | null } | null> {
    const keyIds: string[] = [];
    let expiresAt: number | null = null;
    for (let id: string | null = keyId; id !== null; ) {
      const row: LimitedKey | null = await this.#ledger.query('apiKey', { keyId: id });
      if (!row || row.revokedAt !== null) break;
      keyIds.push(id);
      expiresAt = row.expiresAt;
      id = row.replacedBy;
    }
    const isValid = keyIds.length > 0 && (expiresAt === null || expiresAt > Date.now());
    return isValid ? { keyIds, expiresAt } : null;
  }

  /** Stores when keys were last used. */
  async saveUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([keyId, at]) => ({ keyId, at }));
    this.#uses = new Map();
    await this.#ledger.housekeeping.recordKeyUse(uses);
  }

  async #verify(key: string, request: IncomingMessage): Promise<Principal> {
    const parsed = parseKey(key);
    // The checksum rejects a mistyped key without a query.
    const found = parsed && hasValidChecksum(key) ? await this.#keys.find(parsed.id) : null;
    if (!found || !parsed || !hasHash(parsed.secret, found.secretHash)) {
      return this.#identifyRoot(key, request);
    }
    setLast(this.#verified, key, found);
    return this.#use(found);
  }

  #use(key: CachedKey): Principal {
    if (hasExpired(key)) {
      throw new ProblemError('unauthorized', { reason: 'The API key has expired.' });
    }
    this.#uses.set(key.keyId, Date.now());
    return key.principal;
  }

  #identifyRoot(key: string, request: IncomingMessage): Principal {
    const wrongKeys = this.#limits?.wrongKeys;
    const mayBeRoot = wrongKeys?.mayBeRoot(request) ?? true;
    if (mayBeRoot && hasHash(key, this.#rootHash)) {
      wrongKeys?.addRoot(request);
      return ROOT;
    }
    throw wrongKeys?.count(request) ?? wrongKey();
  }

  async #lookUp(keyId: string): Promise<CachedKey | null> {
    const row = await this.#ledger.query('apiKey', { keyId });
    if (!row || row.revokedAt !== null) return null;
    const { id, realmId, name, scopes, secretHash, expiresAt } = row;
    const principal = {
      actor: `key:${id}`,
      realmId,
      scopes: withImplied(scopes),
      limit: this.#limitOf(row),
      keyId: id,
      keyName: name,
      keyExpiresAt: expiresAt,
      session: null,
    };
    return { keyId: id, principal, secretHash };
  }

  /** A key keeps its limit as long as it is cached, however often it is looked up. */
  #limitOf({ id, rateLimit }: LimitedKey): KeyLimit | null {
    if (!this.#limits) return null;
    const allowed = rateLimit ?? this.#limits.perKey;
    const last = this.#keys.last(id)?.principal.limit;
    last?.change(allowed);
    return last ?? new KeyLimit(allowed, performance.now());
  }
}

const hasExpired = ({ principal: { keyExpiresAt } }: CachedKey): boolean =>
  keyExpiresAt !== null && keyExpiresAt <= Date.now();

const SCHEME = /^(bearer|basic) +(\S+) *$/i;

/** The key in the Authorization header: bare, with `Bearer`, or as the user name of `Basic`. */
export function presentedKey(request: IncomingMessage): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') {
    throw new ProblemError('unauthorized', { reason: 'The request has no API key.' });
  }
  if (isRepeated(request.rawHeaders, 'authorization')) {
    const reason = 'The request has more than one Authorization header.';
    throw new ProblemError('unauthorized', { reason });
  }
  const [, scheme, key = header.trim()] = SCHEME.exec(header) ?? [];
  return scheme?.toLowerCase() === 'basic'
    ? Buffer.from(key, 'base64').toString('latin1').replace(/:.*/s, '')
    : key;
}

function withImplied(scopes: readonly Scope[]): ReadonlySet<Scope> {
  if (scopes.includes('admin')) return new Set(['read', 'write', 'admin']);
  if (scopes.includes('write')) return new Set(['read', 'write']);
  return new Set(scopes);
}

/** In constant time, wherever the two hashes differ. */
export function hasHash(secret: string, hash: string): boolean {
  const left = Buffer.from(hashSecret(secret), 'latin1');
  const right = Buffer.from(hash, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}
