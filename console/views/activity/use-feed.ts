import type { RealmEvent } from '@realmkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withLatest, withOlder } from '../../state/feed.ts';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';

const PAGE = 100;

interface Feed {
  /** Without gaps, newest first. */
  rows: RealmEvent[];
  /** Newer ones, as long as they are held back. */
  waiting: RealmEvent[];
  /** Whether there are more of those than are kept. */
  isMoreWaiting: boolean;
  showLatest: () => void;
  hasOlder: boolean;
  loadOlder: () => void;
}

/** The realm's events: the latest as they arrive, unless they are held back, and all older ones. */
export function useFeed(isHeld: boolean): Feed {
  const { api } = useRealm();
  const latest = events.value ?? [];
  const [rows, setRows] = useState(latest);
  const isLoading = useRef(false);
  const showLatest = (): void => setRows((shown) => withLatest(shown, latest));
  useEffect(() => {
    if (!isHeld) showLatest();
  }, [isHeld, latest]);
  const newest = rows[0]?.seq ?? 0;
  const oldest = rows.at(-1)?.seq ?? 1;
  const loadOlder = async (): Promise<void> => {
    if (isLoading.current || oldest <= 1) return;
    isLoading.current = true;
    try {
      // They are numbered without gaps, so a page back is a subtraction.
      const after = Math.max(0, oldest - 1 - PAGE);
      const { items } = await api.events({ after, limit: oldest - 1 - after });
      setRows((shown) => withOlder(shown, items.toReversed()));
    } catch {
      // The frame says that the service is away; scrolling tries again.
    } finally {
      isLoading.current = false;
    }
  };
  return {
    rows,
    waiting: latest.filter(({ seq }) => seq > newest),
    isMoreWaiting: (latest.at(-1)?.seq ?? 0) > newest + 1,
    showLatest,
    hasOlder: oldest > 1,
    loadOlder: () => void loadOlder(),
  };
}
