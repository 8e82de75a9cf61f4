import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RealmApi } from '../api/realm.ts';
import type { Event } from '../api/types.ts';

/** The latest events of the open realm, newest first. */
export const events = signal<Event[] | undefined>(undefined);
/** Those that arrived last, in their order. */
export const arrived = signal<Event[]>([]);

const SHOWN = 100;
const PAUSE_MS = 1_000;

/** Follows the realm until the returned function is called. */
export function follow(realm: RealmApi): () => void {
  const abort = new AbortController();
  events.value = undefined;
  arrived.value = [];
  void run(realm, abort.signal);
  return () => abort.abort();
}

async function run(realm: RealmApi, signal: AbortSignal): Promise<void> {
  let after: number | undefined;
  while (!signal.aborted) {
    try {
      if (after === undefined) after = await beforeLatest(realm);
      const page = await realm.events({ after, limit: 500 }, { signal });
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
async function beforeLatest(realm: RealmApi): Promise<number> {
  const { items } = await realm.transactions({ limit: 1 });
  return Math.max(0, (items[0]?.transactionId ?? 0) - SHOWN);
}

function receive(items: Event[]): void {
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

/** Calls `reload` soon after an event that concerns the view, at most once a second. */
export function useArrivals(concerns: (event: Event) => boolean, reload: () => void): void {
  const latest = useRef({ concerns, reload });
  latest.current = { concerns, reload };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = arrived.subscribe((items) => {
      if (timer !== undefined || !items.some((event) => latest.current.concerns(event))) return;
      timer = setTimeout(() => {
        timer = undefined;
        latest.current.reload();
      }, 250);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}
