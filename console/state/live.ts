import { signal } from '@preact/signals';
import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { useEffect, useRef } from 'preact/hooks';
import { isRefused } from '../api/faults.ts';
import { pause } from './pause.ts';

/** The latest events of the open realm, newest first. */
export const events = signal<RealmEvent[] | undefined>(undefined);
/** Those that arrived last, in their order. */
export const arrived = signal<RealmEvent[]>([]);
/** The views that are told of them. A signal would also tell a new view of what came before it. */
const listeners = new Set<(group: RealmEvent[]) => void>();

const SHOWN = 60;
/** How many are kept of those that arrive while one looks. */
const MOST = 500;
/** One that comes alone is shown at once; of many nobody reads more than a few groups a second. */
const GROUP_MS = 60;
const BETWEEN_GROUPS_MS = 250;
const RETRY_MS = 2_000;
/** A busy realm changes more often than anybody reads. */
const PAUSE_BETWEEN_MS = 400;

/** After signing out nothing of the former session stays in memory. */
export function forgetEvents(): void {
  events.value = undefined;
  arrived.value = [];
}

/** Follows the realm until the returned function is called. */
export function follow(realm: RealmHandle): () => void {
  const abort = new AbortController();
  forgetEvents();
  void run(realm, abort.signal);
  return () => abort.abort();
}

async function run(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await streamFromLatest(realm, signal);
    } catch (error) {
      // Otherwise the service is away or busy, and the client has tried long enough.
      if (isRefused(error)) return;
    }
    await pause(RETRY_MS, signal);
  }
}

async function streamFromLatest(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  const summary = await realm.summary({ signal });
  const after = Math.max(0, summary.records - SHOWN);
  const latest = await realm.events({ after, limit: SHOWN, signal });
  if (signal.aborted) return;
  const known = events.value?.[0]?.seq ?? latest.lastSeq;
  events.value = latest.items.toReversed();
  tell(latest.items.filter(({ seq }) => seq > known));
  await inGroups(realm.stream({ after: latest.lastSeq, signal }), signal);
}

/** Under load hundreds of events arrive at once; the page is drawn once for all of them. */
async function inGroups(stream: AsyncIterable<RealmEvent>, signal: AbortSignal): Promise<void> {
  let group: RealmEvent[] = [];
  let lastAt = 0;
  const show = (): void => {
    lastAt = Date.now();
    if (!signal.aborted) receive(group);
    group = [];
  };
  for await (const event of stream) {
    if (group.length === 0) {
      setTimeout(show, Math.max(GROUP_MS, lastAt + BETWEEN_GROUPS_MS - Date.now()));
    }
    group.push(event);
  }
}

function receive(group: RealmEvent[]): void {
  events.value = [...group.toReversed(), ...(events.value ?? [])].slice(0, MOST);
  tell(group);
}

function tell(group: RealmEvent[]): void {
  if (group.length === 0) return;
  arrived.value = group;
  for (const listener of listeners) listener(group);
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
    const listener = (items: RealmEvent[]): void => {
      pending.push(...items.filter((event) => latest.current.concerns(event)));
      if (timer !== undefined || pending.length === 0) return;
      timer = setTimeout(() => {
        const told = pending;
        pending = [];
        timer = undefined;
        latest.current.onArrived(told);
      }, PAUSE_BETWEEN_MS);
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      clearTimeout(timer);
    };
  }, []);
}

/** The members whom an event is about. */
export function membersOf({ data }: RealmEvent): string[] {
  const { memberId, recipientId } = data as { memberId?: string; recipientId?: string };
  return [memberId, recipientId].filter((id) => id !== undefined);
}
