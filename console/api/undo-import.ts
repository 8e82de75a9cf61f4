import type { RealmHandle } from '@realmkeep/client';
import { plural } from '../text/format.ts';
import { ImportTrace, type TracedRecord, type Undoing } from '../text/import.ts';
import type { Made } from './enrol.ts';
import { MAX_PAGE } from './limits.ts';
import { service } from './service.ts';

/** Members at a time: few, because each takes some calls, and calls are limited. */
const AT_ONCE = 4;

/**
 * Undoes an import as a whole, or nothing of it. `after` is a record before its first one. If it is
 * interrupted, it goes on where it was.
 */
export async function undoImport(
  realm: string,
  made: readonly Made[],
  after: number,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const api = service.realm(realm);
  const trace = await traceOf(api, made, after);
  const undoings = trace.undoings();
  const spent = undoings.filter((one) => trace.isSpent(one)).length;
  if (spent > 0) {
    const who = `the points of ${plural(spent, 'member')}`;
    throw new Error(`Nothing was undone: since the import, ${who} have moved, or are frozen.`);
  }
  for (let start = 0; start < undoings.length; start += AT_ONCE) {
    onProgress(start, undoings.length);
    await Promise.all(undoings.slice(start, start + AT_ONCE).map((one) => undo(api, one)));
  }
}

async function traceOf(
  api: RealmHandle,
  made: readonly Made[],
  after: number,
): Promise<ImportTrace> {
  const enrolled = new Set(made.flatMap(({ memberId, isNew }) => (isNew ? [memberId] : [])));
  const opened = new Set(made.flatMap((one) => one.opened));
  const trace = new ImportTrace();
  for await (const event of api.events({ after, limit: MAX_PAGE })) {
    const record = event as TracedRecord;
    const { seq, type, data } = record;
    // Whoever is enrolled again later is not of this import.
    const isOwn =
      type === 'member.created' ? enrolled.delete(data.memberId ?? '') : opened.has(seq);
    trace.add(record, isOwn);
  }
  return trace;
}

async function undo(api: RealmHandle, one: Undoing): Promise<void> {
  const member = api.member(one.memberId);
  if (one.unfreeze) await member.update({ status: 'active' });
  for (const seq of one.reverse) {
    await api.transaction(seq).reverse({ idempotencyKey: `console-undo-${seq}` });
  }
  if (one.remove) await member.remove();
}
