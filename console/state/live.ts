import { signal } from '@preact/signals';
import { isProblem, type RealmEvent, type RealmHandle } from '@realmkeep/client';
import { useEffect, useRef } from 'preact/hooks';

/** The latest events of the open realm, newest first. */
export const events = signal<RealmEvent[] | undefined>(undefined);
/** Those that arrived last, in their order. */
export const arrived = signal<RealmEvent[]>([]);

const SHOWN = 60;
/** How many are kept of those that arrive while one looks. */
const MOST = 500;
const GROUP_MS = 60;
const RETRY_MS = 2_000;
/** A busy realm changes more often than anybody reads. */
const PAUSE_BETWEEN_MS = 400;

/** Follows the realm until the returned function is called. */
export function follow(realm: RealmHandle): () => void {
  const abort = new AbortController();
  events.value = undefined;
  arrived.value = [];
  void run(realm, abort.signal);
  return () => abort.abort();
}

async function run(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await streamFromLatest(realm, signal);
    } catch (error) {
      // Refused for good; otherwise the service is away, and the client has tried long enough.
      if (isProblem(error) && error.status >= 400 && error.status < 500) return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function streamFromLatest(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  const summary = await realm.summary({ signal });
  const after = Math.max(0, summary.records - SHOWN);
  const latest = await realm.events({ after, limit: SHOWN, signal });
  if (signal.aborted) return;
  events.value = latest.items.toReversed();
  await inGroups(realm.stream({ after: latest.lastSeq, signal }), signal);
}

/** Under load hundreds of events arrive at once; the page is drawn once for all of them. */
async function inGroups(stream: AsyncIterable<RealmEvent>, signal: AbortSignal): Promise<void> {
  let group: RealmEvent[] = [];
  for await (const event of stream) {
    if (group.length === 0) {
      setTimeout(() => {
        if (!signal.aborted) receive(group);
        group = [];
      }, GROUP_MS);
    }
    group.push(event);
  }
}

function receive(group: RealmEvent[]): void {
  events.value = [...group.toReversed(), ...(events.value ?? [])].slice(0, MOST);
  arrived.value = group;
}

/** Calls back soon after events that concern the view, with all that came meanwhile. */
export function useArrivals(
  concerns: (event: RealmEvent) => boolean,
  onArrived: (items: RealmEvent[]) => void,
): void {
  const latest = useRef({ concerns, onArrived });
  latest.current = { concerns, onArrived };
  useEffect(() => {
    let pending: RealmEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = arrived.subscribe((items) => {
      pending.push(...items.filter((event) => latest.current.concerns(event)));
      if (timer !== undefined || pending.length === 0) return;
      timer = setTimeout(() => {
        const told = pending;
        pending = [];
        timer = undefined;
        latest.current.onArrived(told);
      }, PAUSE_BETWEEN_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}

/** The members whom an event is about. */
export function membersOf({ data }: RealmEvent): string[] {
  const { memberId, recipientId } = data as { memberId?: string; recipientId?: string };
  return [memberId, recipientId].filter((id) => id !== undefined);
}
