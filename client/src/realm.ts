import type {
  Activity,
  Asset,
  Attention,
  ChangeManyPointsAnswer,
  ChangeManyPointsBody,
  CreateMembersAnswer,
  CreateMembersBody,
  EventType,
  ExportedMovement,
  GetDiscordStatusAnswer,
  InvitedPerson,
  Kind,
  ListEventsAnswer,
  Member,
  MemberId,
  NewApiKey,
  NewWebhook,
  Offer,
  Realm,
  RealmEvent,
  RealmSummary,
  Verdict,
  Verification,
  WalletCheck,
} from './generated.ts';
import { MemberHandle } from './member.ts';
import {
  AssetHandle,
  ClaimHandle,
  HoldHandle,
  KeyHandle,
  KindHandle,
  OfferHandle,
  PersonHandle,
  TransactionHandle,
  WebhookHandle,
} from './nouns.ts';
import { type Pages, pagesOf } from './pages.ts';
import { inParts } from './parts.ts';
import type { FeedOptions, ListOf, MemberFilter, SentWith } from './realm-calls.ts';
import { RealmCalls } from './realm-calls.ts';
import { type StreamOptions, streamOf } from './stream.ts';
import type { CallOptions, Sent, Transport, WriteOptions } from './transport.ts';

/**
 * One realm, by id. Every noun has a list (`members()`), a way to make one (`createMember()`), and
 * one by its id (`member(id)`), which has the verbs.
 */
export class RealmHandle {
  readonly id: string;
  readonly #calls: RealmCalls;

  constructor(transport: Transport, id: string) {
    this.id = id;
    this.#calls = new RealmCalls(transport, id);
  }

  get(options: CallOptions = {}): Promise<Realm> {
    return this.#calls.call('getRealm', {}, options);
  }

  update(fields: Sent<'updateRealm'>): Promise<Realm> {
    return this.#calls.call('updateRealm', {}, fields);
  }

  archive(options: WriteOptions = {}): Promise<Realm> {
    return this.#calls.call('archiveRealm', {}, options);
  }

  unarchive(options: WriteOptions = {}): Promise<Realm> {
    return this.#calls.call('unarchiveRealm', {}, options);
  }

  /** Deletes the realm for good; `confirm` is its id once more. */
  delete(options: Sent<'deleteRealm'>): Promise<void> {
    return this.#calls.call('deleteRealm', {}, options);
  }

  /** What the realm adds up to. */
  summary(options: CallOptions = {}): Promise<RealmSummary> {
    return this.#calls.call('getRealmSummary', {}, options);
  }

  /** Points issued and spent, and members who were active, by day. */
  activity(options: Sent<'getActivity'> = {}): Promise<Activity> {
    return this.#calls.call('getActivity', {}, options);
  }

  /** What somebody should look at. */
  attention(options: CallOptions = {}): Promise<Attention> {
    return this.#calls.call('getAttention', {}, options);
  }

  discord(options: CallOptions = {}): Promise<GetDiscordStatusAnswer> {
    return this.#calls.call('getDiscordStatus', {}, options);
  }

  member(id: MemberId): MemberHandle {
    return new MemberHandle(this.#calls, id);
  }

  members(filter: MemberFilter = {}): ListOf<'listMembers'> {
    return this.#calls.list('listMembers', {}, filter as Sent<'listMembers'>);
  }

  createMember(fields: Sent<'createMember'>): Promise<Member> {
    return this.#calls.call('createMember', {}, fields);
  }

  /**
   * Enrols members, by default all or none. More than 1,000 are sent in parts, each of which is all
   * or none; `done` of a problem says how many were done before it.
   */
  createMembers(
    members: CreateMembersBody['members'],
    more: SentWith<'createMembers', 'members'> = {},
  ): Promise<CreateMembersAnswer> {
    return inParts(members, more.idempotencyKey, (part, idempotencyKey) =>
      this.#calls.call('createMembers', {}, { ...more, members: part, idempotencyKey }),
    );
  }

  /** Adds and subtracts points of members: all or none, or in parts, like `createMembers`. */
  batch(
    entries: ChangeManyPointsBody['entries'],
    more: SentWith<'changeManyPoints', 'entries'> = {},
  ): Promise<ChangeManyPointsAnswer> {
    return inParts(entries, more.idempotencyKey, (part, idempotencyKey) =>
      this.#calls.call('changeManyPoints', {}, { ...more, entries: part, idempotencyKey }),
    );
  }

  /** Whether wallets belong to members: up to 10,000, each with its result. */
  includes(wallets: readonly string[], options: CallOptions = {}): Promise<WalletCheck> {
    return this.#calls.call('checkWalletsByPost', {}, { ...options, wallets });
  }

  leaderboard(options: Sent<'getLeaderboard'> = {}): ListOf<'getLeaderboard'> {
    return this.#calls.list('getLeaderboard', {}, options);
  }

  transaction(id: number): TransactionHandle {
    return new TransactionHandle(this.#calls, id);
  }

  transactions(filter: Sent<'listTransactions'> = {}): ListOf<'listTransactions'> {
    return this.#calls.list('listTransactions', {}, filter);
  }

  /** Movements of points as older tools read them, newest first. */
  exportLogs(options: Sent<'exportLogs'> = {}): Pages<ExportedMovement, ExportedMovement[]> {
    return pagesOf(
      options,
      (each) => this.#calls.call('exportLogs', {}, each),
      (page) => page,
      (page) => page.slice(-1).map(({ id }) => ({ before: id }))[0] ?? null,
    );
  }

  hold(id: number): HoldHandle {
    return new HoldHandle(this.#calls, id);
  }

  holds(filter: Sent<'listHolds'> = {}): ListOf<'listHolds'> {
    return this.#calls.list('listHolds', {}, filter);
  }

  /** Something that members may claim. */
  offer(id: string): OfferHandle {
    return new OfferHandle(this.#calls, id);
  }

  offers(filter: Sent<'listOffers'> = {}): ListOf<'listOffers'> {
    return this.#calls.list('listOffers', {}, filter);
  }

  createOffer(fields: Sent<'createOffer'>): Promise<Offer> {
    return this.#calls.call('createOffer', {}, fields);
  }

  claim(id: number): ClaimHandle {
    return new ClaimHandle(this.#calls, id);
  }

  claims(filter: Sent<'listClaims'> = {}): ListOf<'listClaims'> {
    return this.#calls.list('listClaims', {}, filter);
  }

  kind(id: string): KindHandle {
    return new KindHandle(this.#calls, id);
  }

  kinds(options: CallOptions = {}): ListOf<'listKinds'> {
    return this.#calls.list('listKinds', {}, options);
  }

  createKind(fields: Sent<'createKind'>): Promise<Kind> {
    return this.#calls.call('createKind', {}, fields);
  }

  asset(id: string): AssetHandle {
    return new AssetHandle(this.#calls, id);
  }

  assets(options: Sent<'listAssets'> = {}): ListOf<'listAssets'> {
    return this.#calls.list('listAssets', {}, options);
  }

  createAsset(fields: Sent<'createAsset'>): Promise<Asset> {
    return this.#calls.call('createAsset', {}, fields);
  }

  key(id: string): KeyHandle {
    return new KeyHandle(this.#calls, id);
  }

  keys(options: Sent<'listKeys'> = {}): ListOf<'listKeys'> {
    return this.#calls.list('listKeys', {}, options);
  }

  createKey(fields: Sent<'createKey'>): Promise<NewApiKey> {
    return this.#calls.call('createKey', {}, fields);
  }

  person(id: string): PersonHandle {
    return new PersonHandle(this.#calls, id);
  }

  people(options: Sent<'listPeople'> = {}): ListOf<'listPeople'> {
    return this.#calls.list('listPeople', {}, options);
  }

  createPerson(fields: Sent<'createPerson'>): Promise<InvitedPerson> {
    return this.#calls.call('createPerson', {}, fields);
  }

  webhook(id: string): WebhookHandle {
    return new WebhookHandle(this.#calls, id);
  }

  webhooks(options: Sent<'listWebhooks'> = {}): ListOf<'listWebhooks'> {
    return this.#calls.list('listWebhooks', {}, options);
  }

  createWebhook(fields: Sent<'createWebhook'>): Promise<NewWebhook> {
    return this.#calls.call('createWebhook', {}, fields);
  }

  /** The event feed up to now: everything that ever happened, in order; backwards from `before`. */
  events<T extends EventType = EventType>(
    options: FeedOptions<T> = {},
  ): Pages<RealmEvent<T>, ListEventsAnswer> {
    return pagesOf(
      options as Sent<'listEvents'>,
      (each) => this.#calls.call('listEvents', {}, each),
      ({ items }) => items as RealmEvent<T>[],
      ({ lastSeq }, { after = 0, before }) => {
        if (before !== undefined) return lastSeq > 1 ? { before: lastSeq } : null;
        return lastSeq === after ? null : { after: lastSeq };
      },
    );
  }

  /** One event by its number, with the hash of its record. */
  async event(seq: number, options: CallOptions = {}): Promise<RealmEvent & { hash: string }> {
    const event = await this.#calls.call('getEvent', { seq }, options);
    return event as RealmEvent & { hash: string };
  }

  /** The event feed, and then each event as it happens. Ends only with its signal. */
  stream<T extends EventType = EventType>(
    options: StreamOptions<T> = {},
  ): AsyncGenerator<RealmEvent<T>, void> {
    const { transport, realmID } = this.#calls;
    const types = options.types && { types: options.types };
    return streamOf(
      (after, signal) => transport.open({ realmID }, { after, ...types }, signal),
      options,
    );
  }

  /**
   * Checks the journal, and everything else by it. A large realm takes minutes: give it a longer
   * `timeoutMs`, or start the check with `startVerification` and ask for its result later.
   */
  verify(options: CallOptions = {}): Promise<Verdict> {
    return this.#calls.call('verifyRealm', {}, options);
  }

  /** Starts the same check without waiting for its end. */
  startVerification(options: WriteOptions = {}): Promise<Verification> {
    return this.#calls.call('startVerification', {}, options);
  }

  /** How far a check has come that was started. */
  getVerification(verificationID: string, options: CallOptions = {}): Promise<Verification> {
    return this.#calls.call('getVerification', { verificationID }, options);
  }
}
