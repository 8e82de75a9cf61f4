import type { Command, CommandName, CommandOf, MemberFields, NewMember } from '../commands.ts';
import type { Needs, RealmFacts } from '../facts.ts';
import { movementOf, postingsOf } from '../records.ts';
import { accountKey } from './books.ts';
import { nonceOf } from './wallets.ts';

/** What has to be read to decide these commands, by realm in the order of first use. */
export function needsOf(commands: readonly Command[]): Needs[] {
  const byRealm = new Map<string, Needs>();
  for (const command of commands) {
    const needs = byRealm.getOrInsertComputed(command.realmId, noNeeds);
    if (command.idempotency) {
      needs.idempotencyKeys.add(command.idempotency.key);
    }
    addNeeds(needs, command);
  }
  return [...byRealm.values()];
}

function addNeeds<N extends CommandName>(needs: Needs, command: CommandOf<N>): void {
  needsByCommand[command.type](needs, command);
}

function noNeeds(realmId: string): Needs {
  return {
    realmId,
    members: new Set(),
    profiles: new Set(),
    accounts: new Set(),
    wallets: new Set(),
    apiKeys: new Set(),
    challenges: new Set(),
    challengesOf: new Set(),
    idempotencyKeys: new Set(),
    scoresOf: new Set(),
    records: new Set(),
    holds: new Set(),
    openHoldsOf: new Set(),
    assets: false,
    webhooks: false,
    memberCount: false,
    idsToAssign: 0,
    idsToEnrol: 0,
  };
}

const nothing = (): void => {};

const allAssets = (needs: Needs): void => {
  needs.assets = true;
};

const allWebhooks = (needs: Needs): void => {
  needs.webhooks = true;
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

const needsByCommand: { [N in CommandName]: (needs: Needs, command: CommandOf<N>) => void } = {
  'realm.create': nothing,
  'realm.update': nothing,
  'realm.archive': nothing,
  'realm.delete': nothing,
  'kind.create': (needs) => {
    needs.memberCount = true;
  },
  'kind.update': nothing,
  'asset.create': allAssets,
  'asset.delete': allAssets,
  'webhook.create': allWebhooks,
  'webhook.update': allWebhooks,
  'webhook.rotate': allWebhooks,
  'webhook.replay': allWebhooks,
  'webhook.delete': allWebhooks,
  'webhook.pause': allWebhooks,
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
  'points.change': (needs, { memberId, tokens }) => {
    needs.members.add(memberId);
    if (tokens > 0) needs.scoresOf.add(memberId);
    needs.idsToEnrol += 1;
  },
  'points.transfer': (needs, { memberId, recipientId }) => {
    needs.members.add(memberId).add(recipientId);
    needs.idsToEnrol += 1;
  },
  'points.batch': (needs, { entries }) => {
    for (const { memberId, tokens } of entries) {
      needs.members.add(memberId);
      if (tokens > 0) needs.scoresOf.add(memberId);
    }
    needs.idsToEnrol += entries.length;
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
