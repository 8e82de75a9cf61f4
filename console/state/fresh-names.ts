import type { RealmHandle } from '@realmkeep/client';
import { useArrivals } from './live.ts';
import { renewNames } from './names.ts';

/** Names follow what happens to members, wherever they are shown. */
export const useFreshNames = (realm: RealmHandle): void =>
  useArrivals(
    ({ type }) => type.startsWith('member.'),
    (items) => renewNames(realm, items),
  );
