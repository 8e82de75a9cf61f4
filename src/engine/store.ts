import type { Needs, RealmFacts } from '../domain/facts.ts';
import type { Session } from '../domain/model.ts';
import type { Reader } from '../domain/queries.ts';
import type { Decision } from '../domain/rules/decide.ts';
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
  decide: (facts: RealmFacts[]) => Decision;
}

/** A batch that a writer has accepted. */
export interface Writing {
  /** Resolves when the next batch may follow, at the latest when `done` settles. Never rejects. */
  sent: Promise<void>;
  /** Resolves when it is durable. Rejects with `RealmsLocked`, `Unavailable` or `InDoubt`. */
  done: Promise<Decision>;
}

/**
 * What a writer does about realms that are locked elsewhere: `yield` soon rejects with
 * `RealmsLocked`, so that other realms need not wait for them; `persist`, for a single-realm batch,
 * keeps trying for a few seconds, and other batches are written in between.
 */
export type Patience = 'yield' | 'persist';

/** Writes batches in order, each in one durable transaction: reads facts, decides, writes. */
export interface BatchWriter {
  readonly limits: {
    realmsPerBatch: number;
    /** Batches that the writer works on at the same time. */
    inFlight: number;
  };
  write(batch: Batch, patience: Patience): Writing;
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
  /** Calls the listener each time the storage becomes unavailable, or does for another reason. */
  onUnavailable(listener: (cause: Unavailable) => void): void;
  /** Calls the listener each time the storage is available again. */
  onAvailable(listener: () => void): void;
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
  /** All batches of a realm go to the same writer. */
  writers: readonly [BatchWriter, ...BatchWriter[]];
  reader: Reader;
  /** Projects what was written to a realm so far. Absent if the reader does so by itself. */
  catchUp?(realmId: string): Promise<void>;
  housekeeping: Housekeeping;
  /** Absent if the store itself does not know: then every call finds out. */
  availability?: Availability;
  /** Absent if other processes cannot be told. */
  notifications?: Notifications;
  close(): void | Promise<void>;
}

/** `full`: as much as one call takes on, and there may be more. */
export type ProjectionProgress = 'nothing' | 'some' | 'full';

/** All realms whose projections are behind, or only those that are far behind. */
export type ProjectionScope = 'all' | 'far-behind';

/** Maintains the tables that statements, leaderboards and searches are read from. */
export interface ProjectionMaintenance {
  /** Projects a bounded number of records. */
  project(scope: ProjectionScope): ProjectionProgress | Promise<ProjectionProgress>;
  /** Removes leaderboards of windows that ended before the instant; returns the rows removed. */
  dropExpiredLeaderboards(before: number): number | Promise<number>;
  /** Discards what is projected of a realm: it is projected again from the journal. */
  rebuildProjections(realmId: string): void | Promise<void>;
  /** `removeRealmRows` for the projections. */
  removeRealmProjections(realmId: string): boolean | Promise<boolean>;
}

/** Leases webhooks to the processes that send for them, and stores how far these are. */
export interface WebhookHousekeeping {
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
  /** Removes some deliveries of webhooks that are deleted; returns whether there may be more. */
  removeStrayDeliveries(): boolean | Promise<boolean>;
}

/** The first fault of each file of the storage; null if the file is intact. */
export interface Integrity {
  database: string | null;
  projections: string | null;
}

/** Stores the sessions of the console. */
export interface SessionMaintenance {
  /** Ends the key's oldest sessions beyond `MAX_SESSIONS`. */
  createSession(session: Session): void | Promise<void>;
  /** False if there was none: of several callers, only one ends a session. */
  endSession(sessionId: string): boolean | Promise<boolean>;
  recordSessionUse(uses: { sessionId: string; at: number }[]): void | Promise<void>;
  /** Removes sessions that expired before the instant; returns how many. */
  expireSessions(before: number): number | Promise<number>;
}

/** The service's own writes, which no journal records. */
export interface Housekeeping
  extends ProjectionMaintenance,
    SessionMaintenance,
    WebhookHousekeeping {
  recordKeyUse(uses: { keyId: string; at: number }[]): void | Promise<void>;
  /** Stores the hash of the root key; false if another one than `replaced` is stored. */
  storeRootKeyHash(key: { hash: string; replaced: string | null }): boolean | Promise<boolean>;
  /** Removes a bounded number of challenges that expired before the instant; returns how many. */
  expireChallenges(before: number): number | Promise<number>;
  /** Removes a bounded number of idempotent answers older than the instant; returns how many. */
  expireAnswers(before: number): number | Promise<number>;
  /** Writes a little, durably. Throws if the storage takes no writes. */
  probe(): void | Promise<void>;
  /**
   * Removes a bounded number of rows of a deleted realm, except for the row of the realm itself;
   * returns whether there may be more. Nothing happens to a realm that is not deleted.
   */
  removeRealmRows(realmId: string): boolean | Promise<boolean>;
  /** Removes the row of a deleted realm, the last one: its id is free for a new realm. */
  removeRealm(realmId: string): void | Promise<void>;
  /**
   * Makes the next step of the realm's erasures, with a bounded number of rows and bytes; returns
   * whether there was one.
   */
  erasePersonalParts(realmId: string): boolean | Promise<boolean>;
  /**
   * Reads and checks all files, in a process of its own; the signal kills it. Null if the storage
   * has no files of its own.
   */
  checkIntegrity(signal?: AbortSignal): Promise<Integrity | null>;
}
