import { enrol, follow, REALM } from '../community.ts';
import { serve } from './service.ts';

/** The service with the usual community. */
await serve(async (keeper) => {
  const key = await enrol(keeper);
  await follow(keeper);
  return { [REALM]: key };
});
