import type { RealmFacts } from '../domain/facts.ts';
import type { Session } from '../domain/model.ts';
import type { Passkey, Person } from '../domain/person.ts';
import type { NoteName, Reader } from '../domain/queries.ts';
import type { Decision } from '../domain/rules/decide.ts';
import type { Needs } from '../domain/rules/needs.ts';
import type { LeasedWebhook, WebhookReport } from '../domain/webhook.ts';
import type { Unavailable } from './errors.ts';

/** Commands that are committed in one transaction. */
export interface Batch {
  needs: Needs[];
  /** The current instant: facts include the holds that have expired by then. */
  clock: () => number;
  /**
   * The rules: a writer may call it again when it repeats a transaction, and gets the same decision
   * but for the salts of its records.
   */
  decide: (facts: RealmFacts[], now: number) => Decision;
}

/** A batch that a writer has accepted. */
export interface Writing {
  /** Resolves when the next batch may follow, at the latest when `done` settles. Never rejects. */
  sent: Promise<void>;
  /** Resolves when it is durable. Rejects with `RealmsLocked`, `Unavailable` or `InDoubt`. */
  done: Promise<Decision>;
}

/** Writes batches in order, each in one durable transaction: reads facts, decides, writes. */
export interface BatchWriter {
  readonly limits: {
    realmsPerBatch: number;
    /** Batches that the writer works on at the same time. */
    inFlight: number;
  };
  write(batch: Batch): Writing;
}

/** Realms of the batch are locked elsewhere. Nothing was changed. */
export class RealmsLocked extends Error {
  readonly realmIds: readonly string[];

  constructor(realmIds: readonly string[], options?: ErrorOptions) {
    super(`locked elsewhere: ${realmIds.join(', ')}`, options);
    this.realmIds = realmIds;
  }
}

/** Whether the storage can be reached and takes writes. */
export interface Availability {
  /** Why it is unavailable; null if it is available. */
  readonly cause: Unavailable | null;
  /** Calls the listener whenever the reason changes, with null once it is available again. */
  onChange(listener: (cause: Unavailable | null) => void): void;
}

/** Called with realms whose journals have grown; with null if that of any realm may have. */
export type WrittenListener = (realmIds: readonly string[] | null) => void;

/** Passes hints between the processes that share a database. Some may get lost. */
export interface Notifications {
  /** Tells the other processes that this one has written to the realms. */
  send(realmIds: readonly string[]): void;
  /** Calls the listener with what other processes send. */
  listen(listener: WrittenListener): void;
}

export interface Store {
  writer: BatchWriter;
  /**
   * Waits for locks that the other does not wait for: it gets the batches of realms that another
   * process keeps locked. Absent where no other process can.
   */
  lockedWriter?: BatchWriter | undefined;
  /** Gets large commands, which it writes beside the others. Absent where one writes at a time. */
  largeWriter?: BatchWriter | undefined;
  reader: Reader;
  housekeeping: Housekeeping;
  /** Absent if the store itself does not know: then every call finds out. */
  availability?: Availability;
  /** Absent if other processes cannot be told. */
  notifications?: Notifications;
  close(): void | Promise<void>;
}

/** When a key, or a person of a realm, was used last. */
export interface KeyUse {
  realmId: string;
  keyId: string;
  at: number;
}

export interface OwnerChange {
  personId: string;
  name?: string | null;
  removedAt?: number;
}

/** A signature by a passkey, whose counter has to go on, unless it does not count. */
export type PasskeyUse = { passkeyId: string; counter: number; at: number };

/** A value of the whole service, and the one that it takes the place of, if any. */
export interface Note {
  name: NoteName;
  value: string;
  replaced: string | null;
}

/** The service's own writes, which no journal records. */
export interface Housekeeping {
  /**
   * Renews the leases of a process, takes those that have expired, of webhooks that it can sign
   * for, and returns all that it has. By the clock of the database, which processes share.
   */
  leaseWebhooks(lease: {
    owner: string;
    sealedBy: string;
    ms: number;
  }): LeasedWebhook[] | Promise<LeasedWebhook[]>;
  /** Ends all leases of a process, so that another one need not wait until they expire. */
  releaseWebhooks(owner: string): void | Promise<void>;
  /** Stores deliveries, and the progress of those webhooks whose leases the process still has. */
  saveReports(work: { owner: string; reports: WebhookReport[] }): void | Promise<void>;
  /** Ends the key's oldest sessions beyond `MAX_SESSIONS`. False if there is one of its id. */
  createSession(session: Session): boolean | Promise<boolean>;
  /** Stores a code in place of those that its key or person has. */
  replaceCodes(code: Session): void | Promise<void>;
  /** Removes the passkeys, codes and sessions of a person. */
  removeAccess(personId: string): void | Promise<void>;
  /** False if there was none: of several callers, only one ends a session. */
  endSession(sessionId: string): boolean | Promise<boolean>;
  recordSessionUse(uses: { sessionId: string; at: number }[]): void | Promise<void>;
  /** Removes sessions that expired before the instant; returns how many. */
  expireSessions(before: number): number | Promise<number>;
  recordKeyUse(work: { uses: KeyUse[] }): void | Promise<void>;
  /** False if there is one of its id. */
  createOwner(owner: Person): boolean | Promise<boolean>;
  changeOwner(change: OwnerChange): void | Promise<void>;
  recordOwnerUse(uses: { personId: string; at: number }[]): void | Promise<void>;
  /** False if there is one of its id. */
  createPasskey(passkey: Passkey): boolean | Promise<boolean>;
  /** False if it does not exist, or its counter has not gone on. */
  usePasskey(use: PasskeyUse): boolean | Promise<boolean>;
  /** False if the person has no such passkey, or no other. */
  removePasskey(of: { personId: string; passkeyId: string }): boolean | Promise<boolean>;
  /** False if there is a note of this name that is neither this one nor `replaced`. */
  storeNote(note: Note): boolean | Promise<boolean>;
  /** Removes a bounded number of challenges that expired before the instant; returns how many. */
  expireChallenges(before: number): number | Promise<number>;
  /** Removes a bounded number of idempotent answers older than the instant; returns how many. */
  expireAnswers(before: number): number | Promise<number>;
  /** Writes a little, durably. Throws if the storage takes no writes. */
  probe(): void | Promise<void>;
  /**
   * Removes leaderboards of windows that ended before the instant, a bounded number of rows;
   * returns how many.
   */
  dropEndedLeaderboards(before: number): number | Promise<number>;
  /**
   * Gives a bounded number of members a balance of the realm's new kinds of points; returns whether
   * there was anything to do.
   */
  enrolInKinds(realmId: string): boolean | Promise<boolean>;
  /**
   * Derives statements, leaderboards and totals of a realm from its journal again. No other process
   * may have the database open.
   */
  rebuildProjections(realmId: string): void | Promise<void>;
  /**
   * Removes a bounded number of rows of a deleted realm, except for the row of the realm itself.
   * `from` is 0, then what the last call returned; null if there are no more rows. Nothing happens
   * to a realm that is not deleted.
   */
  removeRealmRows(work: { realmId: string; from: number }): number | null | Promise<number | null>;
  /** Removes the row of a deleted realm, the last one: its id is free for a new realm. */
  removeRealm(realmId: string): void | Promise<void>;
  /**
   * Makes the next step of the realm's erasures, with a bounded number of rows; returns whether
   * there was one.
   */
  erasePersonalParts(realmId: string): boolean | Promise<boolean>;
  /**
   * Reads and checks the database file, in a process of its own, which the signal kills; returns
   * its first fault. Null if the storage has no file of its own.
   */
  checkIntegrity(signal?: AbortSignal): Promise<Integrity | null>;
}

/** What a check of the database file has found; null if the file is intact. */
export interface Integrity {
  fault: string | null;
}
