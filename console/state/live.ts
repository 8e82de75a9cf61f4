import { signal } from '@preact/signals';
import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { useEffect, useRef } from 'preact/hooks';

/** The latest events of the open realm, newest first. */
export const events = signal<RealmEvent[] | undefined>(undefined);
/** Those that arrived last, in their order. */
export const arrived = signal<RealmEvent[]>([]);

const SHOWN = 60;
const PAUSE_MS = 1_000;
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
  let after: number | undefined;
  while (!signal.aborted) {
    try {
      if (after === undefined) after = await beforeLatest(realm);
      const page = await realm.events({ after, limit: 500, signal });
      after = page.lastSeq;
      if (page.items.length > 0 || events.value === undefined) receive(page.items);
      if (page.items.length > 0) continue;
    } catch {
      // The frame tells that the service is away; here it is tried again.
    }
    await pause(signal);
  }
}

/** So that the first page has the latest events. */
async function beforeLatest(realm: RealmHandle): Promise<number> {
  const { items } = await realm.transactions({ limit: 1 });
  return Math.max(0, (items[0]?.transactionId ?? 0) - SHOWN);
}

function receive(items: RealmEvent[]): void {
  const isFirst = events.value === undefined;
  events.value = [...items.toReversed(), ...(events.value ?? [])].slice(0, SHOWN);
  if (!isFirst) arrived.value = items;
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

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
