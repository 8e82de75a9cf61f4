import { signal } from '@preact/signals';
import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { useEffect, useRef } from 'preact/hooks';
import { isRefused } from '../api/faults.ts';
import { pause } from './pause.ts';

/** The latest events of the open realm, newest first. */
export const events = signal<RealmEvent[] | undefined>(undefined);
/** Those that arrived last, in their order. */
export const arrived = signal<RealmEvent[]>([]);
/** What arrived, and whether more did than is told one by one. */
type Listener = (group: RealmEvent[], hasGap: boolean) => void;

/** The views that are told of them. A signal would also tell a new view of what came before it. */
const listeners = new Set<Listener>();

const SHOWN = 60;
/** How many are kept of those that arrive while one looks. */
const MOST = 500;
/** One that comes alone is shown at once; of many nobody reads more than a few groups a second. */
const GROUP_MS = 60;
const BETWEEN_GROUPS_MS = 250;
const RETRY_MS = 2_000;
/** A busy realm changes more often than anybody reads. */
const PAUSE_BETWEEN_MS = 400;

/** Nothing of another realm or a former session stays in memory. */
export function forgetEvents(): void {
  events.value = undefined;
  arrived.value = [];
}

/** Follows the realm until the returned function is called; later it goes on where it was. */
export function follow(realm: RealmHandle): () => void {
  const abort = new AbortController();
  void run(realm, abort.signal);
  return () => abort.abort();
}

async function run(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await catchUp(realm, signal);
    } catch (error) {
      // Otherwise the service is away or busy, and the client has tried long enough.
      if (isRefused(error)) return;
    }
    await pause(RETRY_MS, signal);
  }
}

/** Goes on after the last known event or, if too much has happened since, with the latest ones. */
async function catchUp(realm: RealmHandle, signal: AbortSignal): Promise<void> {
  const known = events.value?.[0]?.seq;
  const { records } = await realm.summary({ signal });
  const isNear = known !== undefined && Math.abs(records - known) <= MOST;
  const after = isNear ? known : await startAnew(realm, records, signal);
  await inGroups(realm.stream({ after, signal }), signal);
}

async function startAnew(
  realm: RealmHandle,
  records: number,
  signal: AbortSignal,
): Promise<number> {
  const after = Math.max(0, records - SHOWN);
  const { items, lastSeq } = await realm.events({ after, limit: SHOWN, signal });
  signal.throwIfAborted();
  const hasGap = events.value !== undefined;
  events.value = items.toReversed();
  if (hasGap) tell(items, hasGap);
  return lastSeq;
}

/** Loads the latest events of the open realm anew, because earlier ones have changed. */
export async function reloadEvents(realm: RealmHandle): Promise<void> {
  const [newest] = events.value ?? [];
  const after = Math.max(0, (newest?.seq ?? 0) - SHOWN);
  const { items, lastSeq } = await realm.events({ after, limit: SHOWN });
  // Another realm may be open by now.
  if (!newest || !events.value?.includes(newest)) return;
  const since = events.value.filter(({ seq }) => seq > lastSeq);
  events.value = [...since, ...items.toReversed()];
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

function tell(group: RealmEvent[], hasGap = false): void {
  if (group.length === 0) return;
  arrived.value = group;
  for (const listener of listeners) listener(group, hasGap);
}

/**
 * Calls back soon after events that concern the view, with all that came meanwhile. After a gap
 * any of them may have come.
 */
export function useArrivals(concerns: (event: RealmEvent) => boolean, onArrived: Listener): void {
  const latest = useRef({ concerns, onArrived });
  latest.current = { concerns, onArrived };
  useEffect(() => {
    let pending: RealmEvent[] = [];
    let isGapPending = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pass = (): void => {
      const [group, hasGap] = [pending, isGapPending];
      pending = [];
      isGapPending = false;
      timer = undefined;
      latest.current.onArrived(group, hasGap);
    };
    const listener: Listener = (group, hasGap) => {
      pending.push(...group.filter((event) => latest.current.concerns(event)));
      isGapPending ||= hasGap;
      if (pending.length > 0 || isGapPending) timer ??= setTimeout(pass, PAUSE_BETWEEN_MS);
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
