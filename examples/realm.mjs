import { Realmkeep } from '@realmkeep/client';

const { REALMKEEP_URL = 'http://127.0.0.1:8080', REALMKEEP_REALM = 'demo' } = process.env;
const key = process.env.REALMKEEP_KEY;
if (!key) {
  console.error('Set REALMKEEP_KEY to a key of the realm. `npm run demo` prints one.');
  process.exit(1);
}

/** The realm that all examples work on. */
export const realm = new Realmkeep({ url: REALMKEEP_URL, key }).realm(REALMKEEP_REALM);
