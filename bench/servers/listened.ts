import { generateRootKey } from '../../src/domain/key-format.ts';
import { createIdleRealms } from '../idle-realms.ts';
import { serve } from './service.ts';
import { usualCommunity } from './usual-community.ts';

/** The service with the usual community, and realms to listen to in which nothing happens. */
const rootKey = generateRootKey();
await serve(
  async (ledger) => {
    await createIdleRealms(ledger);
    return { ...(await usualCommunity(ledger)), root: rootKey };
  },
  { ROOT_KEY: rootKey },
);
