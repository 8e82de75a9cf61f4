import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../calls.ts';
import * as access from './access.ts';
import * as journal from './journal.ts';
import * as memberList from './member-list.ts';
import * as members from './members.ts';
import * as offers from './offers.ts';
import * as points from './points.ts';
import * as realms from './realms.ts';
import * as summaries from './summaries.ts';
import * as transactions from './transactions.ts';
import * as wallets from './wallets.ts';
import * as webhooks from './webhooks.ts';

/** One handler for each operation; the compiler rejects a table that lacks one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  ...journal,
  ...access,
  ...memberList,
  ...members,
  ...offers,
  ...points,
  ...realms,
  ...summaries,
  ...transactions,
  ...wallets,
  ...webhooks,
  checkWalletsByPost: wallets.checkWallets,
  checkWalletsByQuery: wallets.checkWallets,
};
