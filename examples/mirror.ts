/**
 * Mirrors all balances into a file, from the stream of events. Stopped and started again, it goes
 * on where it was: the file says how far it has come, and is replaced as a whole.
 *
 *     npx node examples/mirror.ts balances.json
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { RealmEvent } from '@realmkeep/client';
import { realm } from './realm.ts';

interface Mirror {
  /** The last event that it contains. */
  seq: number;
  /** Balances by member, then by kind of points. */
  members: Record<string, Record<string, number>>;
}

const [, , file = 'balances.json'] = process.argv;
const mirror: Mirror = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { seq: 0, members: {} };

function set(memberId: string, realmPointId: string, balance: number | undefined): void {
  if (balance === undefined) return;
  mirror.members[memberId] = { ...mirror.members[memberId], [realmPointId]: balance };
}

function apply({ type, data }: RealmEvent): void {
  switch (type) {
    case 'member.created':
      mirror.members[data.memberId] ??= {};
      break;
    case 'member.removed':
      delete mirror.members[data.memberId];
      break;
    case 'points.opened':
    case 'points.added':
    case 'points.subtracted':
      set(data.memberId, data.realmPointId, data.newBalance);
      break;
    case 'points.transferred':
      set(data.memberId, data.realmPointId, data.senderBalance);
      set(data.recipientId, data.realmPointId, data.recipientBalance);
      break;
    case 'points.captured':
    case 'points.reversed':
      set(data.memberId, data.realmPointId, data.newBalance);
      if (data.recipientId) set(data.recipientId, data.realmPointId, data.recipientBalance);
  }
}

function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(mirror));
  renameSync(`${file}.new`, file);
  console.log(`${Object.keys(mirror.members).length} members, up to event ${mirror.seq}`);
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

let isSaving = false;
const stream = realm.stream({
  after: mirror.seq,
  signal: stop.signal,
  onRetry: (failure) => console.error(`Connecting again: ${failure}`),
});
for await (const event of stream) {
  apply(event);
  mirror.seq = event.seq;
  if (isSaving) continue;
  // Once for many events: those that come at the same time are saved together.
  isSaving = true;
  setTimeout(() => {
    isSaving = false;
    save();
  }, 100);
}
