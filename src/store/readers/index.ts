import { enrollingRealms } from '../kind-enrolments.ts';
import { chosenReaders } from './chosen-members.ts';
import { eventReaders } from './events.ts';
import { holdReaders } from './holds.ts';
import { leaderboardReaders } from './leaderboards.ts';
import { searchReaders } from './member-search.ts';
import { memberReaders, sortedReaders } from './members.ts';
import { offerReaders } from './offers.ts';
import { peopleReaders } from './people.ts';
import type { Readers } from './readers.ts';
import { realmReaders, totalsReaders } from './realms.ts';
import { statementReaders } from './statements.ts';
import { walletReaders } from './wallets.ts';
import { webhookReaders } from './webhooks.ts';

/** Answers queries. Each reader exists once, for both databases. */
export const readers: Readers = {
  ...realmReaders,
  ...peopleReaders,
  ...eventReaders,
  ...memberReaders,
  ...chosenReaders,
  ...searchReaders,
  ...sortedReaders,
  ...walletReaders,
  ...holdReaders,
  ...offerReaders,
  ...webhookReaders,
  ...statementReaders,
  ...leaderboardReaders,
  ...totalsReaders,
  enrollingRealms,
};
