import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../test/support/cluster.ts';
import { type Answer, isGood } from './caller.ts';
import type { Findings } from './findings.ts';
import { checkHolds, exportJournal, type JournalEvent, markOf } from './journal.ts';
import { sendWrite } from './load.ts';
import { checkSums } from './sums.ts';
import type { World } from './world.ts';
import type { Entry, Part } from './write-log.ts';

/** The number of acknowledged writes that are sent again. */
const REPEATED = 500;
const PAUSE_MS = 100;
const MAX_TRIES = 100;
/** The short holds of the load last a second; a job records their expiry every second. */
const EXPIRED_BY_MS = 10_000;

/**
 * Compares what the callers know with the journal, then repeats every write that was not
 * acknowledged, and compares again.
 */
export async function audit(world: World, seen: readonly string[]): Promise<void> {
  const { findings, writeLog } = world;
  await untilHoldsExpire(world);
  const unknown = writeLog.with('unknown').length;
  const open = [...writeLog.with('unknown'), ...writeLog.with('unavailable')];
  if (open.length > 0) compare(world, await exportJournal(world));
  findings.figure('unavailable / of unknown outcome', `${open.length - unknown} / ${unknown}`);
  await Promise.all(open.map((entry) => settle(world, entry)));
  await repeatSome(world);
  const events = await exportJournal(world);
  const { wanted, found, twice } = compare(world, events);
  const isSame = seen.every((text, index) => text === events[index]?.text);
  findings.expect(isSame && seen.length > 0, 'the feed differs from the journal');
  checkHolds(events, findings);
  findings.figure('writes acknowledged', writeLog.with('done').length);
  findings.figure('records expected of these', wanted);
  findings.figure('of these found / found twice', `${found.toLocaleString('en')} / ${twice}`);
  findings.figure('records in the journal', `${events.length.toLocaleString('en')}, without a gap`);
  await checkSums(world);
}

/** Every acknowledged write must be in the journal once, and no refused one. */
function compare({ writeLog, findings }: World, events: JournalEvent[]) {
  const byMark = Map.groupBy(events, markOf);
  byMark.delete(null);
  const known = new Set(
    writeLog.entries.flatMap(({ write }) => write.parts.map(({ mark }) => mark)),
  );
  const count = { wanted: 0, found: 0, twice: 0 };
  for (const [mark, records] of byMark) {
    if (records.length > 1) count.twice += 1;
    findings.expect(records.length === 1, 'a write is in the journal twice', String(mark));
    findings.expect(known.has(String(mark)), 'a record belongs to no write', String(mark));
  }
  for (const entry of writeLog.entries) {
    const { fate, write } = entry;
    findings.expect(
      !entry.isDenied,
      'a write was done although it was refused',
      write.idempotencyKey,
    );
    const done = new Map(entry.done().map(({ part, seq }) => [part, seq]));
    for (const part of write.parts) {
      const [record] = byMark.get(part.mark) ?? [];
      const seq = done.get(part);
      if (seq !== undefined) {
        count.wanted += 1;
        if (isAsAcknowledged(findings, part, seq, record)) count.found += 1;
      } else if (record && fate !== 'unknown') {
        findings.fault(`a write was ${fate === 'done' ? 'refused' : fate}, yet done`, part.mark);
      }
    }
  }
  return count;
}

/** Whether an acknowledged write has a record; the record must match the write and the answer. */
function isAsAcknowledged(
  findings: Findings,
  { mark, memberId, tokens }: Part,
  seq: number | null,
  record: JournalEvent | undefined,
): boolean {
  if (!record) {
    findings.fault('an acknowledged write is missing', mark);
    return false;
  }
  const { data } = record;
  const isSame = data.memberId === memberId && (tokens === 0 || data.tokens === tokens);
  const isAtSeq = seq === null || record.seq === seq;
  findings.expect(isSame && isAtSeq, 'a record differs from what was acknowledged', record.text);
  return true;
}

/** Repeats a write until its outcome is known. The load has stopped by now. */
async function settle(world: World, entry: Entry): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await sendWrite(world, entry.write);
    entry.add(answer, world.findings);
    if (isGood(answer)) return;
    if (answer.status >= 400 && answer.status < 500) {
      entry.settled = 'refused';
      return;
    }
    await pause(PAUSE_MS);
  }
  world.findings.fault('a write found no node that accepts it', entry.write.idempotencyKey);
}

/** A repeated write gets the same answer from every node. */
async function repeatSome(world: World): Promise<void> {
  const { writeLog, random, findings } = world;
  const some = random.shuffled(writeLog.with('done')).slice(0, REPEATED);
  const again = some.map(async (entry) => {
    const answer = await sendWrite(world, entry.write);
    findings.expect(isReplay(answer), 'a repeated write was not marked as replayed', answer.text);
    entry.add(answer, findings);
  });
  await Promise.all(again);
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true';

async function untilHoldsExpire({ databaseUrl, findings }: World): Promise<void> {
  const deadline = performance.now() + EXPIRED_BY_MS;
  for (;;) {
    const [open] = await query(
      databaseUrl,
      `SELECT hold_id FROM holds WHERE status = 'open'
         AND expires_at < (extract(epoch FROM now()) + 60) * 1000 LIMIT 1`,
    );
    if (!open) return;
    if (performance.now() > deadline) {
      return findings.fault('the expiry of a hold was not recorded', JSON.stringify(open));
    }
    await pause(PAUSE_MS);
  }
}
