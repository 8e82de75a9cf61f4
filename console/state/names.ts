import { type Signal, signal } from '@preact/signals';
import type { RealmHandle } from '@realmkeep/client';

export interface Named {
  id: string;
  username: string | null;
  displayName: string | null;
}

/** Names by realm and member: undefined until known, null if there is no such member any more. */
const names = new Map<string, Signal<Named | null | undefined>>();
const MAX_NAMES = 20_000;

/** A feed names many members; asking for all at once would hold up everything else. */
const PARALLEL = 3;
const waiting: (() => Promise<void>)[] = [];
let running = 0;

export function nameSignal(realm: RealmHandle, id: string): Signal<Named | null | undefined> {
  const key = `${realm.id} ${id}`;
  const known = names.get(key);
  if (known) return known;
  const name = remember(key, undefined);
  waiting.push(async () => {
    name.value ??= await realm
      .member(id)
      .get()
      .catch(() => null);
  });
  next();
  return name;
}

/** Lists bring the names of their members along. */
export function learnNames(realm: string, members: readonly Named[]): void {
  for (const member of members) {
    const key = `${realm} ${member.id}`;
    const known = names.get(key);
    if (known) known.value = member;
    else remember(key, member);
  }
}

function remember(key: string, value: Named | undefined): Signal<Named | null | undefined> {
  if (names.size >= MAX_NAMES) names.clear();
  const name = signal<Named | null | undefined>(value);
  names.set(key, name);
  return name;
}

function next(): void {
  while (running < PARALLEL) {
    const ask = waiting.shift();
    if (!ask) return;
    running += 1;
    void ask().finally(() => {
      running -= 1;
      next();
    });
  }
}

export function forgetNames(): void {
  names.clear();
  waiting.length = 0;
}
