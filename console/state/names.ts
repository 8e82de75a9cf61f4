import { type Signal, signal } from '@preact/signals';
import type { RealmEvent, RealmHandle } from '@realmkeep/client';
import { isPersonId } from '../text/people.ts';

export interface Named {
  id: string;
  username: string | null;
  displayName: string | null;
}

/** Undefined until known, null if there is no such member or person any more. */
type Name = Signal<Named | null | undefined>;

/** Names by realm and member or person. */
const names = new Map<string, Name>();
const MAX_NAMES = 20_000;

/** The activity names many: they are asked for together, as many as a call takes. */
const AT_ONCE = 100;
const GATHER_MS = 20;

interface Wanted {
  realm: RealmHandle;
  names: Map<string, Name>;
}

let wanted: Wanted | null = null;

export function nameSignal(realm: RealmHandle, id: string): Name {
  const key = `${realm.id} ${id}`;
  const known = names.get(key);
  if (known) return known;
  const name = remember(key, undefined);
  want(realm, id, name);
  return name;
}

function want(realm: RealmHandle, id: string, name: Name): void {
  if (wanted?.realm !== realm || wanted.names.size === AT_ONCE) wanted = gather(realm);
  wanted.names.set(id, name);
}

function gather(realm: RealmHandle): Wanted {
  const gathered: Wanted = { realm, names: new Map() };
  setTimeout(() => {
    if (wanted === gathered) wanted = null;
    void ask(gathered);
  }, GATHER_MS);
  return gathered;
}

/** If it fails, ids are shown, and the names are asked for when they are next needed. */
async function ask({ realm, names: missing }: Wanted): Promise<void> {
  try {
    const { people = [], members = [] } = Object.groupBy(missing.keys(), (id) =>
      isPersonId(id) ? 'people' : 'members',
    );
    const found = new Map<string, Named>();
    const note = (named: Named) => found.set(named.id, named);
    if (members.length > 0) {
      const ids = members.join(',');
      for await (const one of realm.members({ ids, limit: AT_ONCE })) note(one);
    }
    if (people.length > 0) {
      const { items } = await realm.people({ ids: people.join(',') });
      for (const { id, name } of items) if (name) note({ id, username: null, displayName: name });
    }
    for (const [id, name] of missing) name.value = found.get(id) ?? null;
  } catch {
    for (const id of missing.keys()) names.delete(`${realm.id} ${id}`);
  }
}

const GONE = ['member.removed', 'member.erased', 'person.erased'];

/** After events of members and people: who is gone has no name any more, at once. */
export function renewNames(realm: RealmHandle, items: readonly RealmEvent[]): void {
  for (const { type, data } of items) {
    const { personId = '', memberId: id = personId } = data as Record<string, string>;
    const known = names.get(`${realm.id} ${id}`);
    if (!known) continue;
    if (GONE.includes(type)) known.value = null;
    else want(realm, id, known);
  }
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

function remember(key: string, value: Named | undefined): Name {
  if (names.size >= MAX_NAMES) names.clear();
  const name = signal<Named | null | undefined>(value);
  names.set(key, name);
  return name;
}

export function forgetNames(): void {
  names.clear();
  wanted = null;
}
