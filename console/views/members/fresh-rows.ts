import type { Member } from '@realmkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { membersOf, useArrivals } from '../../state/live.ts';
import type { Pages } from '../../state/pages.ts';
import type { OpenRealm } from '../../state/realm.ts';

/** More at once are not worth a call each: the list is loaded anew when it is next opened. */
const MOST = 20;

/** Brings changed rows up to date where they are, and counts who joined since. */
export function useFreshRows({ api }: OpenRealm, pages: Pages<Member>): number {
  const [joined, setJoined] = useState(0);
  useEffect(() => {
    if (pages.isStale) setJoined(0);
  }, [pages.isStale]);
  const refresh = async (ids: Set<string>): Promise<void> => {
    const shown = pages.rows?.filter(({ id }) => ids.has(id)).slice(0, MOST) ?? [];
    const fresh = await Promise.all(
      shown.map(({ id }) =>
        api
          .member(id)
          .get()
          .catch(() => null),
      ),
    );
    pages.patch((row) => fresh.find((one) => one?.id === row.id) ?? row);
  };
  useArrivals(
    ({ type }) => /^(member|points|wallet)\./.test(type),
    (events) => {
      setJoined((count) => count + events.filter(({ type }) => type === 'member.created').length);
      void refresh(new Set(events.flatMap(membersOf)));
    },
  );
  return joined;
}
