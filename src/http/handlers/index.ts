import type { OperationId } from '../../contract/operations.ts';
import type { Handler } from '../calls.ts';
import * as assets from './assets.ts';
import * as attention from './attention.ts';
import * as claims from './claims.ts';
import * as discord from './discord.ts';
import * as holds from './holds.ts';
import * as journal from './journal.ts';
import * as keys from './keys.ts';
import * as kinds from './kinds.ts';
import * as leaderboards from './leaderboards.ts';
import * as memberList from './member-list.ts';
import * as members from './members.ts';
import * as offers from './offers.ts';
import * as passkeys from './passkeys.ts';
import * as people from './people.ts';
import * as points from './points.ts';
import * as realms from './realms.ts';
import * as sessions from './sessions.ts';
import * as summaries from './summaries.ts';
import * as transactions from './transactions.ts';
import * as walletLinks from './wallet-links.ts';
import * as wallets from './wallets.ts';
import * as webhooks from './webhooks.ts';

/** One handler for each operation; the compiler rejects a table that lacks one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  ...assets,
  ...attention,
  ...claims,
  ...discord,
  ...holds,
  ...journal,
  ...keys,
  ...kinds,
  ...leaderboards,
  ...memberList,
  ...members,
  ...offers,
  ...passkeys,
  ...people,
  ...points,
  ...realms,
  ...sessions,
  ...summaries,
  ...transactions,
  ...walletLinks,
  ...wallets,
  ...webhooks,
  checkWalletsByPost: wallets.checkWallets,
  checkWalletsByQuery: wallets.checkWallets,
};
