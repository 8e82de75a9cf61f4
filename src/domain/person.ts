import type { RealmSettings } from './model.ts';
import type { Page } from './rules/pages.ts';

/** What somebody may do in a realm: the scopes read, write and admin. */
export type RealmRole = 'viewer' | 'manager' | 'admin';

/** An owner belongs to no realm and may do everything in all of them. */
type Role = RealmRole | 'owner';

/** Somebody who signs in to the console. Programs have keys. */
export interface Person {
  id: string;
  /** Null if it was erased. */
  name: string | null;
  role: Role;
  createdAt: number;
  /** Null until an invitation was accepted. */
  lastSeenAt: number | null;
  /** Of a person who was removed, whose name stays in the books; null otherwise. */
  removedAt: number | null;
}

export interface PersonRow extends Person {
  realmId: string;
}

/** The public half of a key pair that a person signs in with. */
export interface Passkey {
  /** What the authenticator calls it, in base64url. */
  id: string;
  personId: string;
  /** An SPKI in base64url. */
  publicKey: string;
  /** Of signatures, if the authenticator counts them: a copy of it would fall behind. */
  counter: number;
  /** What the browser said of itself when it was added. */
  userAgent: string | null;
  createdAt: number;
  lastUsedAt: number | null;
}

/** Few enough to tell apart. */
export const MAX_PASSKEYS = 20;

/** An owner has no realm, nor a limit. */
export type LimitedPerson = Person & { realmId: string | null } & Pick<RealmSettings, 'rateLimit'>;

export interface PeopleQueries {
  /** Those who are not removed; or of these ids, also those who are. */
  people: [
    { realmId: string; personIds: string[] | null; after: string | null; limit: number },
    Page<Person>,
  ];
  /** Of any realm or an owner, also if it was removed. */
  person: [{ personId: string }, LimitedPerson | null];
  /** All, oldest first, also those who were removed: there are few. */
  owners: [null, Person[]];
  passkey: [{ passkeyId: string }, Passkey | null];
  /** Oldest first. */
  passkeys: [{ personId: string }, Passkey[]];
}
