import { databaseFor } from '../postgres.ts';
import { serve } from './service.ts';
import { usualCommunity } from './usual-community.ts';

/** The service on PostgreSQL, with the usual community. */
await serve(usualCommunity, { DATABASE_URL: await databaseFor('realmkeep') });
