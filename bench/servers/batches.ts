import { enrol, firstMembers, MAX_ENTRIES, project, REALM } from '../community.ts';
import { serve } from './service.ts';

/** The service with as many members as a batch has entries. */
await serve(async (ledger) => {
  const key = await enrol(ledger, firstMembers(MAX_ENTRIES));
  await project(ledger);
  return { [REALM]: key };
});
