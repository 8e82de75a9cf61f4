import { timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../contract/problems.ts';
import type { Keeper } from '../domain/keeper.ts';
import { hashSecret, hasValidChecksum, parseKey } from '../domain/key-text.ts';
import type { ApiKeyRow, Scope } from '../domain/model.ts';

/** Who calls. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
}

interface Known {
  principal: Principal;
  secretHash: string;
  expiresAt: number | null;
  loadedAt: number;
}

/** A revoked key must be refused on every node within 2 seconds: no answer is older than this. */
const FRESH_MS = 1_000;
const MAX_KNOWN = 10_000;
const MAX_KEY_LENGTH = 256;

const ROOT: Principal = {
  actor: 'root',
  realmId: null,
  scopes: new Set(['read', 'write', 'admin', 'root'] as const),
};

/** Tells who holds a key. Remembers what the store said for a moment, never a secret. */
export class KeyRing {
  readonly #keeper: Keeper;
  readonly #rootHash: string | null;
  readonly #known = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<Known | null>>();
  #uses = new Map<string, number>();

  constructor(keeper: Keeper, rootHash: string | null) {
    this.#keeper = keeper;
    this.#rootHash = rootHash;
  }

  /** Answers at once for a key seen a moment ago, which is nearly always. */
  identify(key: string, now: number): Principal | Promise<Principal> {
    const parsed = key.length > MAX_KEY_LENGTH ? null : parseKey(key);
    // A mistyped key is told by its checksum, so that it costs no look-up.
    if (!parsed || !hasValidChecksum(key)) return this.#identifyRoot(key);
    const known = this.#known.get(parsed.id);
    if (known && known.loadedAt + FRESH_MS > now) {
      return this.#admit(parsed.id, known, parsed.secret, now) ?? this.#identifyRoot(key);
    }
    return this.#load(parsed.id).then((loaded) => {
      const admitted = loaded && this.#admit(parsed.id, loaded, parsed.secret, Date.now());
      return admitted ?? this.#identifyRoot(key);
    });
  }

  /** Makes the next use of the key ask the store. */
  forget(keyId: string): void {
    this.#known.delete(keyId);
    this.#loading.delete(keyId);
  }

  /** Hands the uses noted since the last call to the store. */
  async noteUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([keyId, at]) => ({ keyId, at }));
    this.#uses = new Map();
    await this.#keeper.housekeeping.touchKeys(uses);
  }

  #admit(keyId: string, known: Known, secret: string, now: number): Principal | null {
    if (!sameHash(hashSecret(secret), known.secretHash)) return null;
    if (known.expiresAt !== null && known.expiresAt <= now) {
      throw new ProblemError('unauthorized', { reason: 'The API key has expired.' });
    }
    this.#uses.set(keyId, now);
    return known.principal;
  }

  #identifyRoot(key: string): Principal {
    if (this.#rootHash !== null && key.length <= MAX_KEY_LENGTH) {
      if (sameHash(hashSecret(key), this.#rootHash)) return ROOT;
    }
    throw new ProblemError('unauthorized', {
      reason: 'The API key is incorrect, revoked or does not exist.',
    });
  }

  #load(keyId: string): Promise<Known | null> {
    const loading = this.#loading.get(keyId);
    if (loading) return loading;
    const load: Promise<Known | null> = this.#keeper
      .ask('apiKey', { keyId })
      .then((row) => {
        const known = knownOf(row);
        // Forgotten while it was loading, it may be out of date already.
        if (this.#loading.get(keyId) === load) this.#keep(keyId, known);
        return known;
      })
      .finally(() => {
        if (this.#loading.get(keyId) === load) this.#loading.delete(keyId);
      });
    this.#loading.set(keyId, load);
    return load;
  }

  #keep(keyId: string, known: Known | null): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (known) this.#known.set(keyId, known);
    else this.#known.delete(keyId);
  }
}

function knownOf(row: ApiKeyRow | null): Known | null {
  if (!row || row.revokedAt !== null) return null;
  const { id, realmId, scopes, secretHash, expiresAt } = row;
  const principal = { actor: `key:${id}`, realmId, scopes: withImplied(scopes) };
  return { principal, secretHash, expiresAt, loadedAt: Date.now() };
}

function withImplied(scopes: readonly Scope[]): ReadonlySet<Scope> {
  if (scopes.includes('admin')) return new Set(['read', 'write', 'admin']);
  if (scopes.includes('write')) return new Set(['read', 'write']);
  return new Set(scopes);
}

/** Takes the same time wherever two hashes differ. */
function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'latin1');
  const right = Buffer.from(b, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}
