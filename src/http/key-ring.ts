import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';
import {
  hashSecret,
  hasValidChecksum,
  isPersonId,
  parseKey,
  rootSessionKeyId,
} from '../domain/key-format.ts';
import type { RateLimit, Scope, Session } from '../domain/model.ts';
import type { LimitedPerson, Person, RealmRole } from '../domain/person.ts';
import type { LimitedKey } from '../domain/queries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { KeyUse } from '../ledger/store.ts';
import { isRepeated } from './connections.ts';
import { FreshCache } from './fresh-cache.ts';
import { KeyLimit, setLast, type WrongKeys, wrongKey } from './rate-limits.ts';

/** The caller. The root key belongs to no realm and may do everything. */
export interface Principal {
  actor: string;
  /** Of the key or the person; null for the root key. */
  keyId: string | null;
  /** Null for the root key and for owners. */
  realmId: string | null;
  scopes: ReadonlySet<Scope | 'root'>;
  /** Null if its requests are not limited, as those of the root key. */
  limit: KeyLimit | null;
  /** Null if a key calls. */
  person: Pick<Person, 'id' | 'name' | 'role'> | null;
  /** Null for the root key and for people, as the next one. */
  keyName: string | null;
  keyExpiresAt: number | null;
  /** The session that it calls from; null if it calls with its key. */
  session: Session | null;
}

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
  person: null,
  keyName: null,
  keyExpiresAt: null,
  session: null,
};

const SCOPES_OF = {
  viewer: ['read'],
  manager: ['write'],
  admin: ['admin'],
} as const satisfies Record<RealmRole, Scope[]>;

/** A caller that has no key yet, where none is required. */
export const ANONYMOUS: Principal = {
  ...ROOT,
  actor: 'anonymous',
  scopes: new Set(['read'] as const),
};

export class KeyRing {
  readonly rootSessionKeyId: string;
  readonly #ledger: Ledger;
  readonly #rootHash: string;
  readonly #limits: CallerLimits | null;
  readonly #keys = new FreshCache((keyId) => this.#lookUp(keyId));
  readonly #people = new FreshCache((personId) => this.#lookUpPerson(personId));
  /**
   * The cached keys by their whole text, once verified, so that hashing happens once a second. An
   * entry counts only while it is also the valid one in `#keys`. A look-up in a hash map does not
   * reveal how much of a wrong key was right.
   */
  readonly #verified = new Map<string, CachedKey>();
  #uses = new Map<string, [realmId: string | null, at: number]>();

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

  /**
   * Whom a session of this key or person acts for; null if it is not valid any more. Counts no use.
   */
  async principalOf(keyId: string): Promise<Principal | null> {
    if (keyId === this.rootSessionKeyId) return ROOT;
    if (isPersonId(keyId)) return this.#people.find(keyId);
    const key = await this.#keys.find(keyId);
    return key && !hasExpired(key) ? key.principal : null;
  }

  /** Says that a session of the key is in use, and so the key. */
  countUse({ keyId, realmId }: Principal): void {
    if (keyId !== null) this.#uses.set(keyId, [realmId, Date.now()]);
  }

  /** The next use of the key, or by the person, queries the store. */
  forget(keyId: string): void {
    this.#keys.forget(keyId);
    this.#people.forget(keyId);
  }

  forgetAll(): void {
    this.#keys.forgetAll();
    this.#people.forgetAll();
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

  async saveUses(): Promise<void> {
    const uses: KeyUse[] = [];
    const owners: { personId: string; at: number }[] = [];
    for (const [keyId, [realmId, at]] of this.#uses) {
      if (realmId === null) owners.push({ personId: keyId, at });
      else uses.push({ realmId, keyId, at });
    }
    this.#uses = new Map();
    const { housekeeping } = this.#ledger;
    if (uses.length > 0) await housekeeping.recordKeyUse({ uses });
    if (owners.length > 0) await housekeeping.recordOwnerUse(owners);
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
    this.countUse(key.principal);
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
      limit: this.#limitOf(row, this.#keys.last(id)?.principal),
      keyId: id,
      person: null,
      keyName: name,
      keyExpiresAt: expiresAt,
      session: null,
    };
    return { keyId: id, principal, secretHash };
  }

  async #lookUpPerson(personId: string): Promise<Principal | null> {
    const row = await this.#ledger.query('person', { personId });
    if (!row || row.removedAt !== null) return null;
    const { id, realmId, name, role } = row;
    return {
      ...ROOT,
      actor: `person:${id}`,
      realmId,
      scopes: role === 'owner' ? ROOT.scopes : withImplied(SCOPES_OF[role]),
      limit: realmId === null ? null : this.#limitOf(row, this.#people.last(id)),
      keyId: id,
      person: { id, name, role },
    };
  }

  /** A caller keeps its limit as long as it is cached, however often it is looked up. */
  #limitOf({ rateLimit }: LimitedKey | LimitedPerson, before?: Principal): KeyLimit | null {
    if (!this.#limits) return null;
    const allowed = rateLimit ?? this.#limits.perKey;
    const last = before?.limit;
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
