import type { RealmHandle } from '@realmkeep/client';
import { useArrivals } from './live.ts';
import { forgetNames, renewNames } from './names.ts';

/** Names follow what happens to members and people, wherever they are shown. */
export const useFreshNames = (realm: RealmHandle): void =>
  useArrivals(
    ({ type }) => /^(member|person)\./.test(type),
    (items, hasGap) => {
      if (hasGap) forgetNames();
      renewNames(realm, items);
    },
  );
