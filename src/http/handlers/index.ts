import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../calls.ts';
import * as assets from './assets.ts';
import * as holds from './holds.ts';
import * as journal from './journal.ts';
import * as keys from './keys.ts';
import * as kinds from './kinds.ts';
import * as boards from './leaderboards.ts';
import * as members from './members.ts';
import * as points from './points.ts';
import * as realms from './realms.ts';
import * as transactions from './transactions.ts';
import * as wallets from './wallets.ts';

/** One handler for each operation; the compiler refuses a table that forgets one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  ...assets,
  ...boards,
  ...holds,
  ...journal,
  ...keys,
  ...kinds,
  ...points,
  ...realms,
  ...transactions,
  getMember: members.getMember,
  createMember: members.createMember,
  listMembers: members.listMembers,
  updateMember: members.updateMember,
  removeMember: members.removeMember,
  getWeb3Member: wallets.getWeb3Member,
  linkWallet: wallets.linkWallet,
  challengeWallet: wallets.challengeWallet,
  unlinkWallet: wallets.unlinkWallet,
  checkWallets: wallets.checkWallets,
  checkWalletsByPost: wallets.checkWallets,
  checkWalletsByQuery: wallets.checkWallets,
};
