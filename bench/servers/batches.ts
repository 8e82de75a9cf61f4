import { BATCH_MEMBERS, enrol, firstMembers, REALM } from '../community.ts';
import { serve } from './service.ts';

/** The service with the members of batches. */
await serve(async (ledger) => {
  const key = await enrol(ledger, firstMembers(BATCH_MEMBERS));
  return { [REALM]: key };
});
