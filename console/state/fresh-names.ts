import type { RealmHandle } from '@realmkeep/client';
import { useArrivals } from './live.ts';
import { forgetNames, renewNames } from './names.ts';

/** Names follow what happens to members, wherever they are shown. */
export const useFreshNames = (realm: RealmHandle): void =>
  useArrivals(
    ({ type }) => type.startsWith('member.'),
    (items, hasGap) => {
      if (hasGap) forgetNames();
      renewNames(realm, items);
    },
  );
