/**
 * Mirrors all balances into a file, from the stream of events. Stopped and started again, it goes
 * on where it was: the file says how far it has come, and is replaced as a whole.
 *
 *     npx node examples/mirror.mjs balances.json
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { realm } from './realm.mjs';

const [, , file = 'balances.json'] = process.argv;
/**
 * The last event that it contains, and balances by member, then by kind of points.
 *
 * @type {{ seq: number, members: Record<string, Record<string, number>> }}
 */
const mirror = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { seq: 0, members: {} };

/** @param {string} memberId @param {string} realmPointId @param {number | undefined} balance */
function set(memberId, realmPointId, balance) {
  if (balance === undefined) return;
  mirror.members[memberId] = { ...mirror.members[memberId], [realmPointId]: balance };
}

/** @param {import('@realmkeep/client').RealmEvent} event */
function apply({ type, data }) {
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
    case 'offer.claimed':
    case 'claim.rejected':
      for (const [id, balance] of Object.entries(data.balances)) set(data.memberId, id, balance);
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

function save() {
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
