import type { Command } from './commands.ts';
import { accountKey, type Needs } from './facts.ts';

/** What must be known to decide these commands, by realm in order of first mention. */
export function needsOf(commands: readonly Command[]): Needs[] {
  const byRealm = new Map<string, Needs>();
  for (const command of commands) {
    const needs = byRealm.get(command.realmId) ?? noNeeds(command.realmId);
    byRealm.set(command.realmId, needs);
    if (command.idempotency) needs.idempotencyKeys.add(command.idempotency.key);
    addNeeds(needs, command);
  }
  return [...byRealm.values()];
}

function noNeeds(realmId: string): Needs {
  return {
    realmId,
    members: new Set(),
    profiles: new Set(),
    accounts: new Set(),
    wallets: new Set(),
    apiKeys: new Set(),
    idempotencyKeys: new Set(),
    idsToAssign: 0,
    idsToEnrol: 0,
  };
}

function addNeeds(needs: Needs, command: Command): void {
  switch (command.type) {
    case 'points.change':
      needs.members.add(command.memberId);
      needs.idsToEnrol += 1;
      return;
    case 'points.transfer':
      needs.members.add(command.memberId).add(command.recipientId);
      needs.idsToEnrol += 1;
      return;
    case 'points.batch':
      for (const entry of command.entries) needs.members.add(entry.memberId);
      needs.idsToEnrol += command.entries.length;
      return;
    case 'member.create':
      if (command.memberId !== null) needs.profiles.add(command.memberId);
      if (command.memberId === null) needs.idsToAssign += 1;
      else needs.idsToEnrol += 1;
      for (const account of command.fields.accounts ?? []) needs.accounts.add(accountKey(account));
      for (const wallet of command.wallets) needs.wallets.add(wallet.key);
      return;
    case 'member.update':
      needs.profiles.add(command.memberId);
      for (const account of command.fields.accounts ?? []) needs.accounts.add(accountKey(account));
      return;
    case 'member.remove':
      needs.profiles.add(command.memberId);
      return;
    case 'wallet.link':
      needs.profiles.add(command.memberId);
      needs.wallets.add(command.wallet.key);
      return;
    case 'key.create':
      needs.apiKeys.add(command.newKey.id);
      return;
    case 'key.rotate':
    case 'key.revoke':
      needs.apiKeys.add(command.keyId);
      return;
    case 'realm.create':
    case 'realm.update':
      return;
  }
}
