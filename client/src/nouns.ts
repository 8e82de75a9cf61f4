import type {
  CaptureHoldAnswer,
  Claim,
  Delivery,
  DeliveryWithPayload,
  DrawOfferAnswer,
  Hold,
  InvitedPerson,
  Kind,
  MemberId,
  NewApiKey,
  NewWebhook,
  Offer,
  Person,
  ReverseTransactionAnswer,
  TestDelivery,
  Transaction,
  Webhook,
} from './generated.ts';
import type { ListOf, RealmCalls, SentWith } from './realm-calls.ts';
import type { CallOptions, ChangeOptions, Sent, WriteOptions } from './transport.ts';

/** One of a realm's nouns, by its id. Whether there is such a one, only a call can tell. */
export abstract class Handle<Id> {
  readonly id: Id;
  protected readonly realm: RealmCalls;

  constructor(realm: RealmCalls, id: Id) {
    this.realm = realm;
    this.id = id;
  }
}

export class HoldHandle extends Handle<number> {
  get(options: CallOptions = {}): Promise<Hold> {
    return this.realm.call('getHold', { holdID: this.id }, options);
  }

  /** Takes the held points, or some of them; with `recipientId` they go to that member. */
  capture(options: Sent<'captureHold'> = {}): Promise<CaptureHoldAnswer> {
    return this.realm.call('captureHold', { holdID: this.id }, options);
  }

  /** Makes the rest of the held points spendable again. */
  release(options: WriteOptions = {}): Promise<Hold> {
    return this.realm.call('releaseHold', { holdID: this.id }, options);
  }
}

export class TransactionHandle extends Handle<number> {
  get(options: CallOptions = {}): Promise<Transaction> {
    return this.realm.call('getTransaction', { transactionID: this.id }, options);
  }

  /** Moves the points back, in full or in part. */
  reverse(options: Sent<'reverseTransaction'> = {}): Promise<ReverseTransactionAnswer> {
    return this.realm.call('reverseTransaction', { transactionID: this.id }, options);
  }
}

export class OfferHandle extends Handle<string> {
  get(options: CallOptions = {}): Promise<Offer> {
    return this.realm.call('getOffer', { offerID: this.id }, options);
  }

  /** Changes the fields that are given, from the next claim on; `archived` ends it. */
  update(fields: Sent<'updateOffer'>): Promise<Offer> {
    return this.realm.call('updateOffer', { offerID: this.id }, fields);
  }

  /** A member takes it. With `expectedCosts`, only at the price that the member saw. */
  claim(memberId: MemberId, more: SentWith<'claimOffer', 'memberId'> = {}): Promise<Claim> {
    return this.realm.call('claimOffer', { offerID: this.id }, { ...more, memberId });
  }

  /** Those who claimed it, newest first. */
  claims(filter: SentWith<'listClaims', 'offerId'> = {}): ListOf<'listClaims'> {
    return this.realm.list('listClaims', {}, { ...filter, offerId: this.id });
  }

  /** Draws winners among those who claimed it, once it is closed. */
  draw(fields: Sent<'drawOffer'>): Promise<DrawOfferAnswer> {
    return this.realm.call('drawOffer', { offerID: this.id }, fields);
  }
}

export class ClaimHandle extends Handle<number> {
  get(options: CallOptions = {}): Promise<Claim> {
    return this.realm.call('getClaim', { claimID: this.id }, options);
  }

  /** Says that what it grants was delivered. */
  deliver(options: WriteOptions = {}): Promise<Claim> {
    return this.realm.call('deliverClaim', { claimID: this.id }, options);
  }

  /** Takes it back: points both ways, stock and the member’s count. */
  reject(options: WriteOptions = {}): Promise<Claim> {
    return this.realm.call('rejectClaim', { claimID: this.id }, options);
  }
}

export class KindHandle extends Handle<string> {
  update(fields: Sent<'updateKind'>): Promise<Kind> {
    return this.realm.call('updateKind', { realmPointId: this.id }, fields);
  }
}

export class AssetHandle extends Handle<string> {
  delete(options: ChangeOptions = {}): Promise<void> {
    return this.realm.call('deleteAsset', { assetId: this.id }, options);
  }
}

export class KeyHandle extends Handle<string> {
  /** Issues its successor; the old key stays valid for `overlapSeconds`. */
  rotate(options: Sent<'rotateKey'> = {}): Promise<NewApiKey> {
    return this.realm.call('rotateKey', { keyID: this.id }, options);
  }

  revoke(options: ChangeOptions = {}): Promise<void> {
    return this.realm.call('revokeKey', { keyID: this.id }, options);
  }
}

export class PersonHandle extends Handle<string> {
  update(fields: Sent<'updatePerson'>): Promise<Person> {
    return this.realm.call('updatePerson', { personID: this.id }, fields);
  }

  /** A new link, in place of the one before. */
  invite(options: WriteOptions = {}): Promise<InvitedPerson> {
    return this.realm.call('invitePerson', { personID: this.id }, options);
  }

  /** Its sessions end at once. */
  remove(options: Sent<'removePerson'> = {}): Promise<void> {
    return this.realm.call('removePerson', { personID: this.id }, options);
  }
}

export class WebhookHandle extends Handle<string> {
  get(options: CallOptions = {}): Promise<Webhook> {
    return this.realm.call('getWebhook', { webhookID: this.id }, options);
  }

  /** `paused` pauses it, or resumes it where it was. */
  update(fields: Sent<'updateWebhook'>): Promise<Webhook> {
    return this.realm.call('updateWebhook', { webhookID: this.id }, fields);
  }

  /** Issues a new secret; the old one signs as well for `overlapSeconds`. */
  rotate(options: Sent<'rotateWebhook'> = {}): Promise<NewWebhook> {
    return this.realm.call('rotateWebhook', { webhookID: this.id }, options);
  }

  /** Sends a test event now, and says what became of it. */
  test(options: WriteOptions = {}): Promise<TestDelivery> {
    return this.realm.call('testWebhook', { webhookID: this.id }, options);
  }

  /** Sends events again, from `fromSeq` on. */
  replay(fields: Sent<'replayWebhook'>): Promise<Webhook> {
    return this.realm.call('replayWebhook', { webhookID: this.id }, fields);
  }

  /** The newest attempts to deliver events, newest first. */
  deliveries(options: Sent<'listDeliveries'> = {}): ListOf<'listDeliveries'> {
    return this.realm.list('listDeliveries', { webhookID: this.id }, options);
  }

  /** One of them, with the event that was sent. */
  delivery(id: number, options: CallOptions = {}): Promise<DeliveryWithPayload> {
    return this.realm.call('getDelivery', { webhookID: this.id, deliveryID: id }, options);
  }

  /** Sends the event of one again, and says what became of it. */
  resend(id: number, options: WriteOptions = {}): Promise<Delivery> {
    return this.realm.call('resendDelivery', { webhookID: this.id, deliveryID: id }, options);
  }

  delete(options: ChangeOptions = {}): Promise<void> {
    return this.realm.call('deleteWebhook', { webhookID: this.id }, options);
  }
}
