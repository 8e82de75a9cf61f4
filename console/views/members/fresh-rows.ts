import type { Member, RealmHandle } from '@realmkeep/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { membersOf, useArrivals } from '../../state/live.ts';
import { learnNames } from '../../state/names.ts';
import { oneAtATime } from '../../state/one-at-a-time.ts';
import type { Pages } from '../../state/pages.ts';
import type { OpenRealm } from '../../state/realm.ts';
import { formatNumber } from '../../text/format.ts';

/** As many as a call takes. */
const AT_ONCE = 100;
/** Who has changed is remembered, in case the list that is on its way has them as they were. */
const MOST_REMEMBERED = 1_000;

/** Nobody counts more who joined. */
const MOST_JOINED = 500;

export interface Fresh {
  /** How many joined since and are not in the list, as a text; empty for none. */
  joined: string;
  /** Loads the list anew, with them where they belong. */
  show: () => void;
}

/**
 * Brings changed rows up to date where they are, leaves out who was removed, counts who joined,
 * unless the list has only some: whether they belong to those is not known.
 */
export function useFreshRows({ api }: OpenRealm, pages: Pages<Member>, isFiltered: boolean): Fresh {
  const [joined, setJoined] = useState<readonly string[]>([]);
  const refresh = useRowRefresh(api, pages);
  const { rows, isStale, reload } = pages;
  useEffect(() => {
    if (isStale) setJoined([]);
  }, [isStale]);
  useArrivals(
    ({ type }) => /^(member|points|wallet)\./.test(type),
    (events, hasGap) => {
      if (hasGap) reload();
      const created = events.filter(({ type }) => type === 'member.created').flatMap(membersOf);
      if (created.length > 0 && !isFiltered) {
        setJoined((before) => [...before, ...created].slice(0, MOST_JOINED + 1));
      }
      refresh(events.flatMap(membersOf));
    },
  );
  const show = (): void => {
    setJoined([]);
    reload();
  };
  const missing = useMemo(() => {
    const listed = new Set(joined.length === 0 ? [] : rows?.map(({ id }) => id));
    return joined.filter((id) => !listed.has(id)).length;
  }, [joined, rows]);
  return { joined: countOf(missing), show };
}

const countOf = (missing: number): string => {
  if (missing === 0) return '';
  return missing > MOST_JOINED ? `${MOST_JOINED}+` : formatNumber(missing);
};

function useRowRefresh(
  api: RealmHandle,
  { rows, patch }: Pages<Member>,
): (ids: readonly string[]) => void {
  const changed = useRef(new Set<string>());
  const shown = useRef(rows);
  shown.current = rows;
  const refresh = useMemo(
    () =>
      oneAtATime(async () => {
        const ids =
          shown.current?.map(({ id }) => id).filter((id) => changed.current.has(id)) ?? [];
        for (const id of ids) changed.current.delete(id);
        for (let at = 0; at < ids.length; at += AT_ONCE) {
          const asked = ids.slice(at, at + AT_ONCE);
          try {
            patch(replacement(asked, await membersBy(api, asked)));
          } catch {
            // The frame says that the service is away; the next change asks for these as well.
            for (const id of asked) changed.current.add(id);
          }
        }
      }),
    [api, patch],
  );
  useEffect(refresh, [refresh, rows]);
  return (ids) => {
    for (const id of ids) changed.current.add(id);
    const surplus = changed.current.size - MOST_REMEMBERED;
    for (const id of [...changed.current].slice(0, Math.max(0, surplus)))
      changed.current.delete(id);
    refresh();
  };
}

async function membersBy(api: RealmHandle, ids: readonly string[]): Promise<Member[]> {
  const { items } = await api.members({ ids, limit: AT_ONCE });
  learnNames(api.id, items);
  return items;
}

/** Who was asked for and is not there was removed. */
function replacement(asked: readonly string[], found: Member[]): (row: Member) => Member | null {
  const fresh = new Map<string, Member | null>(asked.map((id) => [id, null]));
  for (const member of found) fresh.set(member.id, member);
  return (row) => fresh.get(row.id) ?? (fresh.has(row.id) ? null : row);
}
