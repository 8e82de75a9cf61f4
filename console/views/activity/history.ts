import type { RealmEvent } from '@realmkeep/client';
import { useRef, useState } from 'preact/hooks';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';

const PAGE = 100;

/** Events before the live ones. They are numbered without gaps, so a page back is a subtraction. */
export function useHistory() {
  const { api } = useRealm();
  const [older, setOlder] = useState<RealmEvent[]>([]);
  const isLoading = useRef(false);
  const first = older.at(-1)?.seq ?? events.value?.at(-1)?.seq ?? 1;
  const loadOlder = async (): Promise<void> => {
    if (isLoading.current || first <= 1) return;
    isLoading.current = true;
    try {
      const after = Math.max(0, first - 1 - PAGE);
      const { items } = await api.events({ after, limit: first - 1 - after });
      setOlder((before) => [...before, ...items.toReversed()]);
    } catch {
      // The frame says that the service is away; scrolling tries again.
    } finally {
      isLoading.current = false;
    }
  };
  return { older, hasOlder: first > 1, loadOlder: () => void loadOlder() };
}
