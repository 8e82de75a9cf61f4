import { serve } from './service.ts';
import { usualCommunity } from './usual-community.ts';

/** The service with the usual community. */
await serve(usualCommunity);
