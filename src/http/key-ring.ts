import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';
import { hashSecret, hasValidChecksum, parseKey } from '../domain/key-format.ts';
import type { RateLimit, Scope } from '../domain/model.ts';
import type { LimitedKey } from '../domain/queries.ts';
import { Unavailable } from '../engine/errors.ts';
import type { Ledger } from '../engine/ledger.ts';
import { KeyLimit } from './rate-limits.ts';
import { type WrongKeys, wrongKey } from './wrong-keys.ts';

/** The caller. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  /** Null for the root key. */
  keyId: string | null;
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
  /** Null if its requests are not limited, as those of the root key. */
  limit: KeyLimit | null;
}

/** How callers are limited. */
export interface CallerLimits {
  /** Of each key whose realm has no limit of its own. */
  perKey: RateLimit;
  wrongKeys: WrongKeys;
}

interface CachedKey {
  keyId: string;
  principal: Principal;
  secretHash: string;
  expiresAt: number | null;
  /** When the store was queried, by the monotonic clock. */
  loadedAt: number;
}

/** A key in use is looked up again after this long, while its callers are still admitted. */
const REFRESH_MS = 1_000;
/**
 * A revoked key must be rejected on every node within 2 seconds. An entry is no younger than its
 * look-up, so a key that was revoked after it is admitted for less than this.
 */
const VALID_MS = 1_800;
const MAX_CACHED = 10_000;
/** Anyone can make up keys with a correct checksum, so look-ups in progress are bounded. */
const MAX_LOADING = 1_000;
/** Longer text is not hashed. */
const MAX_KEY_LENGTH = 256;

const ROOT: Principal = {
  actor: 'root',
  keyId: null,
  realmId: null,
  scopes: new Set(['read', 'write', 'admin', 'root'] as const),
  limit: null,
};

/** Identifies callers by their keys, and caches what the store knows of a key for a moment. */
export class KeyRing {
  readonly #ledger: Ledger;
  readonly #rootHash: string;
  readonly #limits: CallerLimits | null;
  readonly #cached = new Map<string, CachedKey>();
  /**
   * The cached keys by their whole text, once verified, so that hashing happens once a second. An
   * entry counts only while it is also the valid one in `#cached`. A look-up in a hash map does not
   * reveal how much of a wrong key was right.
   */
  readonly #verified = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<CachedKey | null>>();
  #uses = new Map<string, number>();

  /** Without limits, nobody is limited. */
  constructor(ledger: Ledger, rootHash: string, limits: CallerLimits | null) {
    this.#ledger = ledger;
    this.#rootHash = rootHash;
    this.#limits = limits;
  }

  /** Whose key it is that came with a request. Synchronous if it is cached, as nearly always. */
  identify(key: string, request: IncomingMessage): Principal | Promise<Principal> {
    const verified = this.#verified.get(key);
    if (verified && verified === this.#valid(verified.keyId)) return this.#use(verified);
    const parsed = parseKey(key);
    // The checksum rejects a mistyped key without a query.
    if (!parsed || !hasValidChecksum(key)) return this.#identifyRoot(key, request);
    const cached = this.#valid(parsed.id);
    if (cached) return this.#admit(key, cached, parsed.secret, request);
    if (this.#loading.size >= MAX_LOADING) {
      throw new Unavailable('overloaded', 'too many keys are being looked up');
    }
    return this.#load(parsed.id).then((loaded) =>
      loaded ? this.#admit(key, loaded, parsed.secret, request) : this.#identifyRoot(key, request),
    );
  }

  /** A key in use is refreshed in time, so that its callers never wait for a look-up. */
  #valid(keyId: string): CachedKey | null {
    const cached = this.#cached.get(keyId);
    if (!cached) return null;
    const age = performance.now() - cached.loadedAt;
    if (age < REFRESH_MS) return cached;
    if (age >= VALID_MS) return null;
    // If it fails, the entry expires, and then callers get to know.
    this.#load(keyId).catch(() => undefined);
    return cached;
  }

  /** The next use of the key queries the store. */
  forget(keyId: string): void {
    this.#cached.delete(keyId);
    this.#loading.delete(keyId);
  }

  /** The same for all keys of a realm. */
  forgetRealm(realmId: string): void {
    for (const { keyId, principal } of [...this.#cached.values()]) {
      if (principal.realmId === realmId) this.forget(keyId);
    }
    // Whose keys are being looked up is not known yet: none of these is cached.
    this.#loading.clear();
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

  #admit(key: string, cached: CachedKey, secret: string, request: IncomingMessage): Principal {
    if (!hasHash(secret, cached.secretHash)) return this.#identifyRoot(key, request);
    setBounded(this.#verified, key, cached);
    return this.#use(cached);
  }

  #use({ keyId, principal, expiresAt }: CachedKey): Principal {
    const now = Date.now();
    if (expiresAt !== null && expiresAt <= now) {
      throw new ProblemError('unauthorized', { reason: 'The API key has expired.' });
    }
    this.#uses.set(keyId, now);
    return principal;
  }

  #identifyRoot(key: string, request: IncomingMessage): Principal {
    const wrongKeys = this.#limits?.wrongKeys;
    const mayBeRoot = wrongKeys?.mayBeRoot(request) ?? true;
    if (mayBeRoot && key.length <= MAX_KEY_LENGTH && hasHash(key, this.#rootHash)) {
      wrongKeys?.addRoot(request);
      return ROOT;
    }
    throw wrongKeys?.count(request) ?? wrongKey();
  }

  #load(keyId: string): Promise<CachedKey | null> {
    const loading = this.#loading.get(keyId);
    if (loading) return loading;
    const loadedAt = performance.now();
    const load: Promise<CachedKey | null> = this.#ledger
      .query('apiKey', { keyId })
      .then((row) => {
        if (performance.now() - loadedAt >= VALID_MS) {
          throw new Unavailable('overloaded', 'the look-up of a key took too long');
        }
        const key = this.#cachedKeyOf(row, loadedAt);
        // If forget() was called meanwhile, the row may already be out of date.
        if (this.#loading.get(keyId) !== load) return key;
        if (key) setBounded(this.#cached, keyId, key);
        else this.#cached.delete(keyId);
        return key;
      })
      .finally(() => {
        if (this.#loading.get(keyId) === load) this.#loading.delete(keyId);
      });
    this.#loading.set(keyId, load);
    return load;
  }

  #cachedKeyOf(row: LimitedKey | null, loadedAt: number): CachedKey | null {
    if (!row || row.revokedAt !== null) return null;
    const { id, realmId, scopes, secretHash, expiresAt } = row;
    const limit = this.#limitOf(row, loadedAt);
    const principal = {
      actor: `key:${id}`,
      keyId: id,
      realmId,
      scopes: withImplied(scopes),
      limit,
    };
    return { keyId: id, principal, secretHash, expiresAt, loadedAt };
  }

  /** A key keeps its limit as long as it is cached, however often it is looked up. */
  #limitOf({ id, rateLimit }: LimitedKey, now: number): KeyLimit | null {
    if (!this.#limits) return null;
    const allowed = rateLimit ?? this.#limits.perKey;
    const limit = this.#cached.get(id)?.principal.limit ?? new KeyLimit(allowed, now);
    limit.change(allowed);
    return limit;
  }
}

const BEARER = /^bearer +(\S+) *$/i;

/** The key in the Authorization header, with or without `Bearer`. */
export function presentedKey(request: IncomingMessage): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') {
    throw new ProblemError('unauthorized', { reason: 'The request has no API key.' });
  }
  if (isRepeated(request.rawHeaders, 'authorization')) {
    const reason = 'The request has more than one Authorization header.';
    throw new ProblemError('unauthorized', { reason });
  }
  return BEARER.exec(header)?.[1] ?? header.trim();
}

/** Node keeps only the first of several, but which one was meant must not be guessed. */
export function isRepeated(rawHeaders: readonly string[], header: string): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === header.length && name.toLowerCase() === header) seen += 1;
  }
  return seen > 1;
}

function setBounded<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_CACHED) map.clear();
  map.set(key, value);
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
