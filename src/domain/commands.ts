import type {
  Address,
  ApiKey,
  ApiKeyRow,
  Asset,
  Hold,
  Member,
  MemberStatus,
  Metadata,
  PointKind,
  Profile,
  ProfileColumns,
  Realm,
  RealmSettings,
  Remarks,
  Scope,
  Wallet,
} from './model.ts';
import type { PointsMovement } from './movements.ts';
import type { Amounts, Claim, Drawn, OfferTerms, OfferView } from './offer.ts';
import type { Person, RealmRole } from './person.ts';
import type { Records } from './records.ts';
import type { Refusal } from './refusal.ts';
import type { DeliveryError, PauseReason, Webhook, WebhookRow } from './webhook.ts';

/** Identifies a request across retries: it takes effect once. */
export interface Idempotency {
  key: string;
  /** A digest of the request. Another request under the same key is refused. */
  fingerprint: string;
}

export interface Envelope {
  realmId: string;
  /** The caller: `root`, `cli`, `service`, `key:<public id>` or `person:<id>`. */
  actor: string;
  idempotency: Idempotency | null;
  /** For whom the caller does it, in its own words. */
  onBehalfOf?: string | undefined;
  /** The W3C traceparent of the request, if it is traced. No rule looks at it. */
  trace?: string | undefined;
}

/** A generated API key as it is stored. Only the caller gets the secret itself. */
export type NewKey = Pick<ApiKeyRow, 'id' | 'secretHash'>;

type NewWebhook = Pick<WebhookRow, 'id' | 'secret'>;

export type WebhookFields = Pick<Webhook, 'url' | 'types' | 'description'>;

/** Whether the addresses of a URL are public. The caller has resolved its name: rules do no I/O. */
export type TargetCheck =
  | 'allowed'
  | Extract<DeliveryError, 'refused-target' | 'name-not-resolved'>;

export type MemberFields = Partial<ProfileColumns & Pick<Profile, 'accounts'>>;

/** A signed challenge. The caller has checked the signature, because rules do no I/O. */
export interface Proof {
  message: string;
  signature: string;
  check: SignatureCheck;
}

/** A key signs for its address on every chain, a contract where it is deployed, if that answers. */
export type SignatureCheck = 'by-key' | 'by-contract' | 'no' | 'unavailable';

/** A member to enrol; without an id, one is assigned. */
export interface NewMember {
  memberId: string | null;
  fields: MemberFields;
  wallets: Address[];
}

export interface OpeningBalance {
  realmPointId: string;
  tokens: number;
}

export type Enrolment = NewMember & {
  balances: OpeningBalance[];
  status?: Exclude<MemberStatus, 'removed'>;
};

/** Enrols many members. An import does not enrol removed members again. */
interface MemberBatch {
  atomic: boolean;
  description: string | null;
  members: Enrolment[];
  /** Whether members who are enrolled get opening balances of kinds that never moved. */
  opensPresent?: boolean;
  isImport?: boolean;
  /** Decides and changes nothing. */
  isDryRun?: boolean;
}

/** What a caller may say of a movement, besides its description. */
export interface Details {
  reference?: string | undefined;
  metadata?: Metadata | undefined;
}

export interface PointsEntry extends Details {
  memberId: string;
  tokens: number;
  realmPointId: string | null;
  description: string | null;
}

/** The username is for a member that it enrols. `upTo` takes what can be spent, if that is less. */
export type PointsChange = PointsEntry & {
  username?: string | null | undefined;
  upTo?: boolean | undefined;
};

export type PointsTransfer = PointsChange & { recipientId: string };

interface ClaimRequest {
  offerId: string;
  memberId: string;
  quantity: number;
  /** What one costs, as the member saw it; null if it need not be that. */
  expectedCosts: Amounts | null;
}

export interface Commands {
  /** With `FIRST_KIND`, unless it is to start with other kinds of points. */
  'realm.create': [{ name: string; settings: Partial<RealmSettings>; kinds?: PointKind[] }, Realm];
  'realm.update': [{ name?: string; settings?: Partial<RealmSettings> }, Realm];
  'realm.archive': [{ archived: boolean }, Realm];
  'realm.delete': [Record<never, never>, null];
  'key.create': [
    { newKey: NewKey; name: string; scopes: Scope[]; expiresAt: number | null },
    ApiKey,
  ];
  'key.rotate': [{ keyId: string; newKey: NewKey; overlapSeconds: number }, ApiKey];
  'key.revoke': [{ keyId: string }, null];
  'person.create': [{ newPersonId: string; name: string; role: RealmRole }, Person];
  'person.update': [{ personId: string; name?: string; role?: RealmRole }, Person];
  'person.invite': [{ personId: string }, Person];
  /** With `erase` also the name, even if the person was removed before. */
  'person.remove': [{ personId: string; erase: boolean }, null];
  'member.create': [NewMember, Member];
  /** Creates the member, or changes the fields that are present and links further wallets. */
  'member.put': [NewMember & { memberId: string }, { isNew: boolean; member: Member }];
  'member.batch': [MemberBatch, EnrolmentOutcome[]];
  'member.update': [
    { memberId: string; fields: MemberFields; status?: Exclude<MemberStatus, 'removed'> },
    Member,
  ];
  /** With `erase` also its personal parts, even if the member was removed before. */
  'member.remove': [{ memberId: string; forfeit: boolean; erase?: boolean }, null];
  'wallet.challenge': [
    /** `network` is `eip155:<id>`, or the address's chain. */
    {
      memberId: string;
      wallet: Address;
      network: string;
      nonce: string;
      /** The site that asks; null for the realm's own, or else `serviceUrl`. */
      siteUrl?: string | null;
      serviceUrl: string;
    },
    { memberId: string; message: string; expiresAt: number },
  ];
  'wallet.link': [
    { memberId: string; wallet: Address; primary: boolean; proof: Proof | null },
    Wallet & { memberId: string },
  ];
  /** Lets the member link a wallet until then, on the page of the service. */
  'wallet.invite': [{ memberId: string }, { memberId: string; expiresAt: number }];
  'wallet.unlink': [{ memberId: string; walletKey: string; address: string }, null];
  'points.change': [PointsChange, PointsChanged];
  'points.transfer': [PointsTransfer, PointsTransferred];
  /** An entry of 0 changes nothing. */
  'points.batch': [
    { atomic: boolean; entries: (PointsChange | PointsTransfer)[] },
    BatchEntryOutcome[],
  ];
  'points.reverse': [
    Details & {
      transactionId: number;
      tokens: number | null;
      description: string | null;
      force: boolean;
    },
    PointsReversed,
  ];
  'kind.create': [{ kind: PointKind }, PointKind];
  'kind.update': [{ realmPointId: string; changes: Partial<Omit<PointKind, 'id'>> }, PointKind];
  'asset.create': [{ asset: Asset }, Asset];
  'asset.delete': [{ assetId: string }, null];
  'webhook.create': [WebhookFields & { newWebhook: NewWebhook; target: TargetCheck }, Webhook];
  'webhook.update': [
    {
      webhookId: string;
      fields: Partial<WebhookFields>;
      paused?: boolean;
      target: TargetCheck;
    },
    Webhook,
  ];
  'webhook.rotate': [{ newWebhook: NewWebhook; overlapSeconds: number }, Webhook];
  'webhook.replay': [{ webhookId: string; fromSeq: number }, Webhook];
  'webhook.delete': [{ webhookId: string }, null];
  /** Sent by the service itself; without effect if the webhook was started again meanwhile. */
  'webhook.pause': [
    { webhookId: string; startSeq: number; reason: Exclude<PauseReason, 'requested'> },
    null,
  ];
  'offer.create': [{ offerId: string; terms: OfferTerms }, OfferView];
  'offer.update': [{ offerId: string; changes: Partial<OfferTerms> }, OfferView];
  'offer.claim': [Details & ClaimRequest, Claim];
  /** Drawn by the caller from the claims as they were after the record `asOf`. */
  'offer.draw': [{ offerId: string; asOf: number; drawn: Drawn }, Drawn];
  'claim.deliver': [{ claimId: number }, Claim];
  'claim.reject': [{ claimId: number }, Claim];
  'hold.create': [PointsEntry & { expiresInSeconds: number }, Hold];
  'hold.capture': [
    Details & { holdId: number; tokens: number | null; recipientId: string | null },
    PointsCaptured,
  ];
  'hold.release': [{ holdId: number }, Hold];
  /** Sent by the service itself: records the expiry of a hold, which took effect by itself. */
  'hold.expire': [{ holdId: number }, Hold];
}

/** The answer to a command that moves points consists of fields of its record. */
type MovementAnswer<T extends PointsMovement['type'], Left extends keyof Records[T] = never> = {
  transactionId: number;
} & Omit<Records[T], Left | keyof Remarks>;

/** With `tokens` if it was up to so many. */
export type PointsChanged = MovementAnswer<'points.added', 'reason' | 'tokens'> & {
  tokens?: number;
};
export type PointsTransferred = MovementAnswer<'points.transferred'>;
export type PointsReversed = MovementAnswer<'points.reversed', 'reversedType'>;
export type PointsCaptured = { hold: Hold } & MovementAnswer<
  'points.captured',
  'holdId' | 'memberId' | 'realmPointId'
>;

/** `transactionId` is null if the entry was 0. */
export type BatchEntryOutcome =
  | (Omit<PointsChanged, 'transactionId' | 'realmPointId'> & { transactionId: number | null })
  | Omit<PointsTransferred, 'realmPointId'>
  | { memberId: string; refusal: Refusal };

/** `memberId` is null if none was given, and none assigned. */
export type EnrolmentOutcome =
  | { memberId: string; opened: Opened[]; wasPresent?: true }
  | { memberId: string | null; refusal: Refusal };

export type Opened = Omit<MovementAnswer<'points.opened', 'tokens'>, 'memberId'>;

export type CommandName = keyof Commands;
export type CommandOf<N extends CommandName> = Envelope & { type: N } & Commands[N][0];
export type Command = { [N in CommandName]: CommandOf<N> }[CommandName];
export type AnswerTo<N extends CommandName> = Commands[N][1];

export type Outcome<A = unknown> =
  | { answer: A; replayed: boolean }
  | { refusal: Refusal }
  /** A bug, described for the log. The caller gets an internal error without details. */
  | { fault: string };
