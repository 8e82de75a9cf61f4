import type {
  Command,
  CommandName,
  CommandOf,
  MemberFields,
  NewMember,
  PointsEntry,
} from '../commands.ts';
import type { RealmFacts } from '../facts.ts';
import { movementOf, postingsOf } from '../records.ts';
import { accountKey } from './books.ts';
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

/** What `decide` has to read for the commands of one realm. */
export type Needs = ReturnType<typeof noNeeds>;

const noNeeds = (realmId: string) => ({
  realmId,
  /** Members whose status and balances are needed. */
  members: new Set<string>(),
  /** Members whose row, accounts and wallets are needed as well. */
  profiles: new Set<string>(),
  /** Accounts and wallets whose owner is needed, by `accountKey` and wallet key. */
  accounts: new Set<string>(),
  wallets: new Set<string>(),
  apiKeys: new Set<string>(),
  challenges: new Set<string>(),
  /** Members whose unused challenges are all needed. */
  challengesOf: new Set<string>(),
  idempotencyKeys: new Set<string>(),
  /** Members that may earn points, or lose what they earned. */
  scoresOf: new Set<string>(),
  /** Records and holds, together with the status, balances and scores of their members. */
  records: new Set<number>(),
  holds: new Set<number>(),
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
  'wallet.unlink': (needs, { memberId }) => needs.profiles.add(memberId),
  'points.change': addChange,
  'points.transfer': (needs, { memberId, recipientId }) => {
    needs.members.add(memberId).add(recipientId);
    needs.idsToEnrol += 1;
  },
  'points.batch': (needs, { entries }) => {
    for (const entry of entries) addChange(needs, entry);
  },
  'points.reverse': (needs, { transactionId }) => needs.records.add(transactionId),
  'hold.create': (needs, { memberId }) => needs.members.add(memberId),
  'hold.capture': (needs, { holdId, recipientId }) => {
    needs.holds.add(holdId);
    if (recipientId !== null) needs.members.add(recipientId);
  },
  'hold.release': (needs, { holdId }) => needs.holds.add(holdId),
  'hold.expire': (needs, { holdId }) => needs.holds.add(holdId),
};

/** The facts of a realm that does not exist, and the start for those of any other. */
export function emptyFacts(realmId: string): RealmFacts {
  return {
    realmId,
    realm: null,
    kinds: [],
    assets: [],
    webhooks: [],
    members: [],
    statuses: [],
    balances: [],
    accounts: [],
    wallets: [],
    apiKeys: [],
    challenges: [],
    idempotencyRecords: [],
    records: [],
    reversals: [],
    holds: [],
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
    ...movements.flatMap(postingsOf).map(({ memberId }) => memberId),
    ...holds.filter(({ id }) => needs.holds.has(id)).map(({ memberId }) => memberId),
  ];
}
