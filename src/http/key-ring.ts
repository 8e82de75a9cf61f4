import { timingSafeEqual } from 'node:crypto';
import { ProblemError } from '../contract/problems.ts';
import { hashSecret, hasValidChecksum, parseKey } from '../domain/key-format.ts';
import type { ApiKeyRow, Scope } from '../domain/model.ts';
import type { Ledger } from '../engine/ledger.ts';

/** Who calls. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
}

interface Known {
  keyId: string;
  /** The key itself, once it was proved. */
  text: string | null;
  principal: Principal;
  secretHash: string;
  expiresAt: number | null;
  /** When the store was asked, by a clock that nobody sets. */
  askedAt: number;
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

/** Tells who holds a key, and remembers what the store said of it for a moment. */
export class KeyRing {
  readonly #ledger: Ledger;
  readonly #rootHash: string | null;
  readonly #known = new Map<string, Known>();
  /**
   * Keys proved against what is known, by their whole text, so that the proof is done once a
   * second. A look-up by hash tells nobody how much of a wrong key was right.
   */
  readonly #proved = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<Known | null>>();
  #uses = new Map<string, number>();

  constructor(ledger: Ledger, rootHash: string | null) {
    this.#ledger = ledger;
    this.#rootHash = rootHash;
  }

  /** Answers at once for a key seen a moment ago, which is nearly always. */
  identify(key: string, now: number): Principal | Promise<Principal> {
    const proved = this.#proved.get(key);
    if (proved && proved === this.#fresh(proved.keyId)) return this.#use(proved, now);
    const parsed = key.length > MAX_KEY_LENGTH ? null : parseKey(key);
    // A mistyped key is told by its checksum, so that it costs no look-up.
    if (!parsed || !hasValidChecksum(key)) return this.#identifyRoot(key);
    const known = this.#fresh(parsed.id);
    if (known) return this.#admit(key, known, parsed.secret, now);
    return this.#load(parsed.id).then((loaded) =>
      loaded ? this.#admit(key, loaded, parsed.secret, Date.now()) : this.#identifyRoot(key),
    );
  }

  /** What was proved against the old goes with it. */
  #replace(keyId: string, known: Known | null): void {
    const text = this.#known.get(keyId)?.text;
    if (text) this.#proved.delete(text);
    if (known) this.#known.set(keyId, known);
    else this.#known.delete(keyId);
  }

  #fresh(keyId: string): Known | null {
    const known = this.#known.get(keyId);
    return known && known.askedAt + FRESH_MS > performance.now() ? known : null;
  }

  /** Makes the next use of the key ask the store. */
  forget(keyId: string): void {
    this.#replace(keyId, null);
    this.#loading.delete(keyId);
  }

  /** Hands the uses noted since the last call to the store. */
  async noteUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = Array.from(this.#uses, ([keyId, at]) => ({ keyId, at }));
    this.#uses = new Map();
    await this.#ledger.housekeeping.touchKeys(uses);
  }

  #admit(key: string, known: Known, secret: string, now: number): Principal {
    if (!sameHash(hashSecret(secret), known.secretHash)) return this.#identifyRoot(key);
    known.text = key;
    this.#proved.set(key, known);
    return this.#use(known, now);
  }

  #use({ keyId, principal, expiresAt }: Known, now: number): Principal {
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
      reason: 'The API key is incorrect, revoked or does not exist.',
    });
  }

  #load(keyId: string): Promise<Known | null> {
    const loading = this.#loading.get(keyId);
    if (loading) return loading;
    const askedAt = performance.now();
    const load: Promise<Known | null> = this.#ledger
      .query('apiKey', { keyId })
      .then((row) => {
        const known = knownOf(row, askedAt);
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
    if (this.#known.size >= MAX_KNOWN) {
      this.#known.clear();
      this.#proved.clear();
    }
    this.#replace(keyId, known);
  }
}

function knownOf(row: ApiKeyRow | null, askedAt: number): Known | null {
  if (!row || row.revokedAt !== null) return null;
  const { id, realmId, scopes, secretHash, expiresAt } = row;
  const principal = { actor: `key:${id}`, realmId, scopes: withImplied(scopes) };
  return { keyId: id, text: null, principal, secretHash, expiresAt, askedAt };
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
