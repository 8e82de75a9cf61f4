import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { keepList, keptList } from '../../state/history.ts';
import { type JournalPart, partOf, withLatest, withOlder } from '../../state/journal-part.ts';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { useRetry } from '../../state/reconnect.ts';
import {
  type EventFilters,
  hasEventFilters,
  isBefore,
  passesFilters,
} from '../../text/event-filters.ts';
import { isInGroup, typesOf } from '../../text/events.ts';
import { useUnmountSignal } from '../../ui/unmount.ts';

const PAGE = 100;
/** Looked through at once for the few that pass filters. */
const FILTERED_PAGE = 500;

export interface AskedEvents {
  group: string;
  filters: EventFilters;
  /** The record that the newest of them comes before; null for now. */
  before: number | null;
}

/** What becomes of the older events. */
interface OlderState {
  isLoading: boolean;
  error?: Error;
}

export interface ShownEvents extends JournalPart<RealmEvent> {
  /** Newer ones, as long as they are held back. */
  waiting: RealmEvent[];
  /** Whether there are more of those than are kept. */
  isMoreWaiting: boolean;
  showLatest: () => void;
  older: OlderState;
  hasOlder: boolean;
  loadOlder: () => void;
}

/** Events of a group: the latest as they arrive, unless they are held back, and older ones. */
export function useEvents(asked: AskedEvents, isHeld: boolean): ShownEvents {
  const { realm } = useRealm();
  const { group, filters, before } = asked;
  const latest = events.value ?? [];
  const isShown = (event: RealmEvent): boolean =>
    before === null && isInGroup(event.type, group) && passesFilters(event, filters);
  const key = `events ${realm.id} ${JSON.stringify(asked)}`;
  const [part, setPart] = useState(
    () =>
      keptList<JournalPart<RealmEvent>>(key) ??
      (before === null ? partOf(latest, isShown) : { newest: before, oldest: before, rows: [] }),
  );
  useEffect(() => keepList(key, part), [key, part]);
  const shown = useRef(part);
  const show = (next: JournalPart<RealmEvent>): void => {
    shown.current = next;
    setPart(next);
  };
  const showLatest = (): void => show(withLatest(shown.current, latest, isShown));
  useEffect(() => {
    if (!isHeld && before === null) showLatest();
  }, [isHeld, latest]);
  return {
    ...part,
    waiting: latest.filter((event) => event.seq > part.newest && isShown(event)),
    isMoreWaiting: (latest.at(-1)?.seq ?? 0) > part.newest + 1,
    showLatest,
    hasOlder: part.oldest > 1,
    ...useOlder(asked, shown, show),
  };
}

/** Looks further back, as far as a page goes. */
function useOlder(
  asked: AskedEvents,
  shown: { current: JournalPart<RealmEvent> },
  show: (next: JournalPart<RealmEvent>) => void,
): Pick<ShownEvents, 'older' | 'loadOlder'> {
  const { api } = useRealm();
  const [older, setOlder] = useState<OlderState>({ isLoading: false });
  const isLoading = useRef(false);
  const signal = useUnmountSignal();
  const load = async (): Promise<void> => {
    if (isLoading.current) return;
    isLoading.current = true;
    setOlder({ isLoading: true });
    try {
      const before = await partBefore(api, shown.current.oldest, asked, signal);
      show(withOlder(shown.current, before));
      setOlder({ isLoading: false });
    } catch (error) {
      if (!signal.aborted) setOlder({ isLoading: false, error: error as Error });
    } finally {
      isLoading.current = false;
    }
  };
  const latest = useRef(load);
  latest.current = load;
  const loadOlder = useCallback(() => void latest.current(), []);
  useRetry(older.error, loadOlder);
  return { older, loadOlder };
}

/** The part of the journal before a record, as far back as it has a page of the group. */
async function partBefore(
  api: RealmHandle,
  before: number,
  { group, filters }: AskedEvents,
  signal: AbortSignal,
): Promise<JournalPart<RealmEvent>> {
  const limit = hasEventFilters(filters) ? FILTERED_PAGE : PAGE;
  const page = await api.events({ before, limit, types: typesOf(group), signal });
  signal.throwIfAborted();
  const rows = page.items.filter((event) => passesFilters(event, filters));
  const isOver = page.items.some((event) => isBefore(event, filters));
  return { newest: before - 1, oldest: isOver ? 1 : page.lastSeq, rows };
}
