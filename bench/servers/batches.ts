import { enrol, firstMembers, follow, MAX_ENTRIES, REALM } from '../community.ts';
import { serve } from './service.ts';

/** The service with as many members as a batch has entries. */
await serve(async (keeper) => {
  const key = await enrol(keeper, firstMembers(MAX_ENTRIES));
  await follow(keeper);
  return { [REALM]: key };
});
