import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { MAX_PAGE } from '../../api/limits.ts';
import { keepList, keptList } from '../../state/history.ts';
import { type JournalPart, partOf, withLatest, withOlder } from '../../state/journal-part.ts';
import { events } from '../../state/live.ts';
import { useRealm } from '../../state/realm.ts';
import { useRetry } from '../../state/reconnect.ts';
import { isInGroup, typesOf } from '../../text/events.ts';

/** How many records a call looks through, unless only those of a group are shown. */
const PAGE = 100;
/** Rows that fill a screen. */
const ENOUGH = 30;
/** How many calls a search makes until the reader wants it to go on. */
const MOST_CALLS = 10;

/** What becomes of the older events. */
interface OlderState {
  isLoading: boolean;
  /** Whether it has found little, and waits to be told to go on. */
  isPaused: boolean;
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
export function useEvents(group: string, isHeld: boolean): ShownEvents {
  const { realm } = useRealm();
  const latest = events.value ?? [];
  const isShown = ({ type }: RealmEvent): boolean => isInGroup(type, group);
  const key = `events ${realm.id} ${group}`;
  const [part, setPart] = useState(
    () => keptList<JournalPart<RealmEvent>>(key) ?? partOf(latest, isShown),
  );
  useEffect(() => keepList(key, part), [key, part]);
  const shown = useRef(part);
  const show = (next: JournalPart<RealmEvent>): void => {
    shown.current = next;
    setPart(next);
  };
  const showLatest = (): void => show(withLatest(shown.current, latest, isShown));
  useEffect(() => {
    if (!isHeld) showLatest();
  }, [isHeld, latest]);
  return {
    ...part,
    waiting: latest.filter((event) => event.seq > part.newest && isShown(event)),
    isMoreWaiting: (latest.at(-1)?.seq ?? 0) > part.newest + 1,
    showLatest,
    hasOlder: part.oldest > 1,
    ...useOlder(group, shown, show),
  };
}

/** Looks further back, until a screen is filled. */
function useOlder(
  group: string,
  shown: { current: JournalPart<RealmEvent> },
  show: (next: JournalPart<RealmEvent>) => void,
): Pick<ShownEvents, 'older' | 'loadOlder'> {
  const { api } = useRealm();
  const [older, setOlder] = useState<OlderState>({ isLoading: false, isPaused: false });
  const isLoading = useRef(false);
  const signal = useUnmountSignal();
  const load = async (): Promise<void> => {
    if (isLoading.current) return;
    isLoading.current = true;
    setOlder({ isLoading: true, isPaused: false });
    try {
      let found = 0;
      for (let calls = 0; calls < MOST_CALLS && found < ENOUGH; calls += 1) {
        if (shown.current.oldest <= 1) break;
        const before = await partBefore(api, shown.current.oldest, group, signal);
        found += before.rows.length;
        show(withOlder(shown.current, before));
      }
      setOlder({ isLoading: false, isPaused: found < ENOUGH });
    } catch (error) {
      if (!signal.aborted) setOlder({ isLoading: false, isPaused: false, error: error as Error });
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

function useUnmountSignal(): AbortSignal {
  const abort = useRef<AbortController | null>(null);
  abort.current ??= new AbortController();
  useEffect(() => () => abort.current?.abort(), []);
  return abort.current.signal;
}

/** The part of the journal before a record. A page of large events ends early. */
async function partBefore(
  api: RealmHandle,
  before: number,
  group: string,
  signal: AbortSignal,
): Promise<JournalPart<RealmEvent>> {
  const types = typesOf(group);
  const after = Math.max(0, before - 1 - (types ? MAX_PAGE : PAGE));
  const items: RealmEvent[] = [];
  for (let at = after; at < before - 1; ) {
    const page = await api.events({ after: at, limit: before - 1 - at, types, signal });
    signal.throwIfAborted();
    if (page.lastSeq === at) break;
    items.push(...page.items);
    at = page.lastSeq;
  }
  return { newest: before - 1, oldest: after + 1, rows: items.toReversed() };
}
