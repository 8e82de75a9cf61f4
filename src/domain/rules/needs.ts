import type {
  Command,
  CommandName,
  CommandOf,
  MemberFields,
  NewMember,
  PointsEntry,
  PointsTransfer,
} from '../commands.ts';
import type { RealmFacts } from '../facts.ts';
import { movementOf, postingsOf } from '../movements.ts';
import type { OfferTerms } from '../offer.ts';
import { accountKey } from './books.ts';
import { claimantKey } from './claimants.ts';
import { nonceOf } from './wallets.ts';

/** What has to be read to decide these commands, by realm in the order of first use. */
export function needsOf(commands: readonly Command[]): Needs[] {
  const byRealm = new Map<string, Needs>();
  for (const command of commands) {
    const needs = byRealm.getOrInsertComputed(command.realmId, noNeeds);
    if (command.idempotency) needs.idempotencyKeys.add(command.idempotency.key);
    addNeeds(needs, command);
  }
  return [...byRealm.values()];
}

function addNeeds<N extends CommandName>(needs: Needs, command: CommandOf<N>): void {
  needsByCommand[command.type](needs, command);
}

export type Needs = ReturnType<typeof noNeeds>;

const noNeeds = (realmId: string) => ({
  realmId,
  /** Members whose state and balances are needed. */
  members: new Set<string>(),
  /** Members whose row, accounts and wallets are needed as well. */
  profiles: new Set<string>(),
  /** Accounts and wallets whose owner is needed, by `accountKey` and wallet key. */
  accounts: new Set<string>(),
  wallets: new Set<string>(),
  apiKeys: new Set<string>(),
  people: new Set<string>(),
  challenges: new Set<string>(),
  /** Members whose unused challenges are all needed. */
  challengesOf: new Set<string>(),
  idempotencyKeys: new Set<string>(),
  /** Members that may earn points, or lose what they earned. */
  scoresOf: new Set<string>(),
  /** Records and holds, together with the status, balances and scores of their members. */
  records: new Set<number>(),
  holds: new Set<number>(),
  /** Claims, together with the row of their offer and the count of their member. */
  claims: new Set<number>(),
  offers: new Set<string>(),
  /** Counts of members, by `claimantKey`, for offers and for those that they require. */
  claimants: new Set<string>(),
  /** Offers that an offer is about to require. */
  required: new Set<string>(),
  /** Members whose open holds are all needed. */
  openHoldsOf: new Set<string>(),
  /** Whether the realm's assets and webhooks are needed. They are few, so all are read. */
  assets: false,
  webhooks: false,
  memberCount: false,
  /** How many member ids to assign, and how many members may be enrolled under a given id. */
  idsToAssign: 0,
  idsToEnrol: 0,
});

const nothing = (): void => {};

const all = (name: 'assets' | 'webhooks' | 'memberCount') => (needs: Needs) => {
  needs[name] = true;
};

function addTerms(needs: Needs, offerId: string, { requires }: Partial<OfferTerms>): void {
  needs.offers.add(offerId);
  const required = requires?.claimed;
  if (required === undefined) return;
  needs.offers.add(required);
  needs.required.add(required);
}

function addClaim(needs: Needs, { claimId }: { claimId: number }): void {
  needs.claims.add(claimId);
  needs.records.add(claimId);
}

/** A removed member has neither accounts nor wallets, so its status is all that matters. */
function addEnrolment(needs: Needs, { memberId, fields, wallets }: NewMember): void {
  if (memberId === null) needs.idsToAssign += 1;
  else {
    needs.members.add(memberId);
    needs.idsToEnrol += 1;
  }
  addAccounts(needs, fields);
  for (const wallet of wallets) needs.wallets.add(wallet.key);
}

function addAccounts(needs: Needs, { accounts = [] }: MemberFields): void {
  for (const account of accounts) needs.accounts.add(accountKey(account));
}

function addChange(needs: Needs, { memberId, tokens }: PointsEntry): void {
  needs.members.add(memberId);
  if (tokens > 0) needs.scoresOf.add(memberId);
  needs.idsToEnrol += 1;
}

function addTransfer(needs: Needs, { memberId, recipientId }: PointsTransfer): void {
  needs.members.add(memberId).add(recipientId);
  needs.idsToEnrol += 1;
}

const needsByCommand: { [N in CommandName]: (needs: Needs, command: CommandOf<N>) => void } = {
  'realm.create': nothing,
  'realm.update': nothing,
  'realm.archive': nothing,
  'realm.delete': nothing,
  'kind.create': all('memberCount'),
  'kind.update': nothing,
  'asset.create': all('assets'),
  'asset.delete': all('assets'),
  'webhook.create': all('webhooks'),
  'webhook.update': all('webhooks'),
  'webhook.rotate': all('webhooks'),
  'webhook.replay': all('webhooks'),
  'webhook.delete': all('webhooks'),
  'webhook.pause': all('webhooks'),
  'key.create': (needs, { newKey }) => needs.apiKeys.add(newKey.id),
  'key.rotate': (needs, { keyId }) => needs.apiKeys.add(keyId),
  'key.revoke': (needs, { keyId }) => needs.apiKeys.add(keyId),
  'person.create': (needs, { newPersonId }) => needs.people.add(newPersonId),
  'person.update': (needs, { personId }) => needs.people.add(personId),
  'person.invite': (needs, { personId }) => needs.people.add(personId),
  'person.remove': (needs, { personId }) => needs.people.add(personId),
  'member.create': addEnrolment,
  'member.put': (needs, command) => {
    needs.profiles.add(command.memberId);
    addEnrolment(needs, command);
  },
  'member.batch': (needs, { members }) => {
    for (const member of members) addEnrolment(needs, member);
  },
  'member.update': (needs, { memberId, fields }) => {
    needs.profiles.add(memberId);
    addAccounts(needs, fields);
  },
  'member.remove': (needs, { memberId }) => {
    needs.profiles.add(memberId);
    needs.openHoldsOf.add(memberId);
    needs.challengesOf.add(memberId);
    needs.scoresOf.add(memberId);
  },
  'wallet.challenge': (needs, { memberId, wallet }) => {
    needs.members.add(memberId);
    needs.wallets.add(wallet.key);
    needs.challengesOf.add(memberId);
  },
  'wallet.link': (needs, { memberId, wallet, proof }) => {
    needs.profiles.add(memberId);
    needs.wallets.add(wallet.key);
    const nonce = proof && nonceOf(proof.message);
    if (nonce) needs.challenges.add(nonce);
  },
  'wallet.invite': (needs, { memberId }) => needs.members.add(memberId),
  'wallet.unlink': (needs, { memberId }) => needs.profiles.add(memberId),
  'points.change': addChange,
  'points.transfer': addTransfer,
  'points.batch': (needs, { entries }) => {
    for (const entry of entries) {
      if ('recipientId' in entry) addTransfer(needs, entry);
      else addChange(needs, entry);
    }
  },
  'points.reverse': (needs, { transactionId }) => {
    addClaim(needs, { claimId: transactionId });
  },
  'offer.create': (needs, { offerId, terms }) => addTerms(needs, offerId, terms),
  'offer.update': (needs, { offerId, changes }) => addTerms(needs, offerId, changes),
  'offer.claim': (needs, { offerId, memberId }) => {
    needs.offers.add(offerId);
    needs.claimants.add(claimantKey({ offerId, memberId }));
    needs.members.add(memberId);
    needs.scoresOf.add(memberId);
    needs.idsToEnrol += 1;
  },
  'offer.draw': (needs, { offerId }) => needs.offers.add(offerId),
  'claim.deliver': addClaim,
  'claim.reject': addClaim,
  'hold.create': (needs, { memberId }) => needs.members.add(memberId),
  'hold.capture': (needs, { holdId, recipientId }) => {
    needs.holds.add(holdId);
    if (recipientId !== null) needs.members.add(recipientId);
  },
  'hold.release': (needs, { holdId }) => needs.holds.add(holdId),
  'hold.expire': (needs, { holdId }) => needs.holds.add(holdId),
};

const requiredBy = ({ offers }: RealmFacts): string[] =>
  offers.flatMap(({ terms }) => terms.requires?.claimed ?? []);

/** The offers that facts need besides those that commands name. */
export function referredOffers(facts: RealmFacts): Set<string> {
  const ids = new Set([...facts.claims.map(({ offerId }) => offerId), ...requiredBy(facts)]);
  return ids.difference(new Set(facts.offers.map(({ id }) => id)));
}

/** The same of counts: of claims, and in the offers that an offer requires. */
export function referredClaimants(facts: RealmFacts, needs: Needs): Set<string> {
  const keys = new Set(facts.claims.map(claimantKey));
  const required = new Set([...needs.required, ...requiredBy(facts)]);
  for (const key of required.size === 0 ? [] : needs.claimants) {
    const memberId = key.slice(key.indexOf(':') + 1);
    for (const offerId of required) keys.add(claimantKey({ offerId, memberId }));
  }
  return keys.difference(needs.claimants);
}

/** The facts of a realm that does not exist, and the start for those of any other. */
export function emptyFacts(realmId: string): RealmFacts {
  return {
    realmId,
    realm: null,
    kinds: [],
    assets: [],
    webhooks: [],
    members: [],
    states: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    people: [],
    challenges: [],
    idempotencyRecords: [],
    records: [],
    reversals: [],
    holds: [],
    offers: [],
    claims: [],
    claimants: [],
    freeMemberIds: [],
    scores: [],
    scoresRead: new Set(),
    memberCount: 0,
  };
}

/** The members of the records and holds that commands refer to: their balances are needed too. */
export function referredMembers({ records, holds }: RealmFacts, needs: Needs): string[] {
  const movements = records.flatMap((record) =>
    needs.records.has(record.seq) ? (movementOf(record) ?? []) : [],
  );
  return [
    // A claim may move no points.
    ...movements.map(({ data }) => data.memberId),
    ...movements.flatMap(postingsOf).map(({ memberId }) => memberId),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}
