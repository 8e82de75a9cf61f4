import { timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../contract/problems.ts';
import { hashSecret, hasValidChecksum, parseKey } from '../domain/key-format.ts';
import type { ApiKeyRow, Scope } from '../domain/model.ts';
import type { Ledger } from '../engine/ledger.ts';

/** The caller. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
}

interface CachedKey {
  keyId: string;
  /** The whole key, once a caller has presented it. */
  text: string | null;
  principal: Principal;
  secretHash: string;
  expiresAt: number | null;
  /** When the store was queried, by the monotonic clock. */
  loadedAt: number;
}

/** A revoked key must be rejected on every node within 2 seconds, so entries live at most half. */
const FRESH_MS = 1_000;
const MAX_CACHED = 10_000;
const MAX_KEY_LENGTH = 256;

const ROOT: Principal = {
  actor: 'root',
  realmId: null,
  scopes: new Set(['read', 'write', 'admin', 'root'] as const),
};

/** Identifies callers by their keys, and caches what the store knows of a key for a second. */
export class KeyRing {
  readonly #ledger: Ledger;
  readonly #rootHash: string | null;
  readonly #cached = new Map<string, CachedKey>();
  /**
   * The cached keys by their whole text, once verified, so that hashing happens once a second. A
   * look-up in a hash map does not reveal how much of a wrong key was right.
   */
  readonly #verified = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<CachedKey | null>>();
  #uses = new Map<string, number>();

  constructor(ledger: Ledger, rootHash: string | null) {
    this.#ledger = ledger;
    this.#rootHash = rootHash;
  }

  /** Synchronous for a cached key, which is nearly always. */
  identify(key: string, now: number): Principal | Promise<Principal> {
    const verified = this.#verified.get(key);
    if (verified && verified === this.#fresh(verified.keyId)) return this.#use(verified, now);
    const parsed = key.length > MAX_KEY_LENGTH ? null : parseKey(key);
    // The checksum rejects a mistyped key without a query.
    if (!parsed || !hasValidChecksum(key)) return this.#identifyRoot(key);
    const cached = this.#fresh(parsed.id);
    if (cached) return this.#admit(key, cached, parsed.secret, now);
    return this.#load(parsed.id).then((loaded) =>
      loaded ? this.#admit(key, loaded, parsed.secret, Date.now()) : this.#identifyRoot(key),
    );
  }

  #replace(keyId: string, key: CachedKey | null): void {
    const text = this.#cached.get(keyId)?.text;
    if (text) this.#verified.delete(text);
    if (key) this.#cached.set(keyId, key);
    else this.#cached.delete(keyId);
  }

  #fresh(keyId: string): CachedKey | null {
    const cached = this.#cached.get(keyId);
    return cached && cached.loadedAt + FRESH_MS > performance.now() ? cached : null;
  }

  /** The next use of the key queries the store. */
  forget(keyId: string): void {
    this.#replace(keyId, null);
    this.#loading.delete(keyId);
  }

  /** Stores when keys were last used. */
  async saveUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([keyId, at]) => ({ keyId, at }));
    this.#uses = new Map();
    await this.#ledger.housekeeping.recordKeyUse(uses);
  }

  #admit(key: string, cached: CachedKey, secret: string, now: number): Principal {
    if (!sameHash(hashSecret(secret), cached.secretHash)) return this.#identifyRoot(key);
    cached.text = key;
    this.#verified.set(key, cached);
    return this.#use(cached, now);
  }

  #use({ keyId, principal, expiresAt }: CachedKey, now: number): Principal {
    if (expiresAt !== null && expiresAt <= now) {
      throw new ProblemError('unauthorized', { reason: 'The API key has expired.' });
    }
    this.#uses.set(keyId, now);
    return principal;
  }

  #identifyRoot(key: string): Principal {
    if (this.#rootHash !== null && key.length <= MAX_KEY_LENGTH) {
      if (sameHash(hashSecret(key), this.#rootHash)) return ROOT;
    }
    throw new ProblemError('unauthorized', {
      reason: 'The API key is wrong, revoked or unknown.',
    });
  }

  #load(keyId: string): Promise<CachedKey | null> {
    const loading = this.#loading.get(keyId);
    if (loading) return loading;
    const loadedAt = performance.now();
    const load: Promise<CachedKey | null> = this.#ledger
      .query('apiKey', { keyId })
      .then((row) => {
        const key = cachedKeyOf(row, loadedAt);
        // If forget() was called meanwhile, the row may already be out of date.
        if (this.#loading.get(keyId) === load) this.#cache(keyId, key);
        return key;
      })
      .finally(() => {
        if (this.#loading.get(keyId) === load) this.#loading.delete(keyId);
      });
    this.#loading.set(keyId, load);
    return load;
  }

  #cache(keyId: string, key: CachedKey | null): void {
    if (this.#cached.size >= MAX_CACHED) {
      this.#cached.clear();
      this.#verified.clear();
    }
    this.#replace(keyId, key);
  }
}

function cachedKeyOf(row: ApiKeyRow | null, loadedAt: number): CachedKey | null {
  if (!row || row.revokedAt !== null) return null;
  const { id, realmId, scopes, secretHash, expiresAt } = row;
  const principal = { actor: `key:${id}`, realmId, scopes: withImplied(scopes) };
  return { keyId: id, text: null, principal, secretHash, expiresAt, loadedAt };
}

function withImplied(scopes: readonly Scope[]): ReadonlySet<Scope> {
  if (scopes.includes('admin')) return new Set(['read', 'write', 'admin']);
  if (scopes.includes('write')) return new Set(['read', 'write']);
  return new Set(scopes);
}

/** In constant time, wherever two hashes differ. */
function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1');
  const right = Buffer.from(b, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}
