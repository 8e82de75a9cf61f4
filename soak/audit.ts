import { setTimeout as pause } from 'node:timers/promises';
import { query } from '../test/support/cluster.ts';
import { type Answer, isGood } from './caller.ts';
import { checkHolds, exported, type JournalEvent, markOf } from './journal.ts';
import { askFor } from './load.ts';
import { checkSums } from './sums.ts';
import type { Verdict } from './verdict.ts';
import type { World } from './world.ts';
import type { Entry, Part } from './write-log.ts';

/** Acknowledged writes that are sent once more. */
const REPEATED = 500;
const PAUSE_MS = 100;
const MAX_TRIES = 100;
/** The short holds of the load last a second; a job notes their end each second. */
const EXPIRED_BY_MS = 10_000;

/**
 * Compares what callers know with what the journal says, then asks again for everything that
 * nobody knows of, and compares once more.
 */
export async function audit(world: World, seen: readonly string[]): Promise<void> {
  const { verdict, writeLog } = world;
  await untilExpiriesAreNoted(world);
  const unknown = writeLog.with('unknown').length;
  const open = [...writeLog.with('unknown'), ...writeLog.with('turned away')];
  if (open.length > 0) compare(world, await exported(world));
  verdict.figure('never done / of unknown end', `${open.length - unknown} / ${unknown}`);
  await Promise.all(open.map((entry) => settle(world, entry)));
  await repeatSome(world);
  const events = await exported(world);
  const { wanted, found, twice } = compare(world, events);
  const isSame = seen.every((text, index) => text === events[index]?.text);
  verdict.expect(isSame && seen.length > 0, 'the feed told another story than the journal');
  checkHolds(events, verdict);
  verdict.figure('writes acknowledged', writeLog.with('done').length);
  verdict.figure('records of these', wanted);
  verdict.figure('of these found / found twice', `${found.toLocaleString('en')} / ${twice}`);
  verdict.figure('records in the journal', `${events.length.toLocaleString('en')}, without a gap`);
  await checkSums(world);
}

/** Every acknowledged write is there once, and none that was refused or turned away. */
function compare({ writeLog, verdict }: World, events: JournalEvent[]) {
  const byMark = Map.groupBy(events, markOf);
  byMark.delete(null);
  const known = new Set(
    writeLog.entries.flatMap(({ write }) => write.parts.map(({ mark }) => mark)),
  );
  const count = { wanted: 0, found: 0, twice: 0 };
  for (const [mark, records] of byMark) {
    if (records.length > 1) count.twice += 1;
    verdict.expect(records.length === 1, 'a write is there twice', String(mark));
    verdict.expect(known.has(String(mark)), 'nobody asked for a record', String(mark));
  }
  for (const entry of writeLog.entries) {
    const { fate, write } = entry;
    verdict.expect(!entry.isDenied, 'a done write was denied at first', write.idempotencyKey);
    const done = new Map(entry.done().map(({ part, seq }) => [part, seq]));
    for (const part of write.parts) {
      const [record] = byMark.get(part.mark) ?? [];
      const seq = done.get(part);
      if (seq !== undefined) {
        count.wanted += 1;
        if (cacheValid(verdict, part, seq, record)) count.found += 1;
      } else if (record && fate !== 'unknown') {
        verdict.fault(`a write was ${fate === 'done' ? 'refused' : fate}, yet done`, part.mark);
      }
    }
  }
  return count;
}

/** Whether an acknowledged write has its record, which says what was asked for and answered. */
function cacheValid(
  verdict: Verdict,
  { mark, memberId, tokens }: Part,
  seq: number | null,
  record: JournalEvent | undefined,
): boolean {
  if (!record) {
    verdict.fault('an acknowledged write is missing', mark);
    return false;
  }
  const { data } = record;
  const isSame = data.memberId === memberId && (tokens === 0 || data.tokens === tokens);
  const isThere = seq === null || record.seq === seq;
  verdict.expect(isSame && isThere, 'a record is another than acknowledged', record.text);
  return true;
}

/** Asks once more, until there is a word on it. Nobody else asks now. */
async function settle(world: World, entry: Entry): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await askFor(world, entry.write);
    entry.note(answer, world.verdict);
    if (isGood(answer)) return;
    if (answer.status >= 400 && answer.status < 500) {
      entry.settled = 'refused';
      return;
    }
    await pause(PAUSE_MS);
  }
  world.verdict.fault('nobody takes a write any more', entry.write.idempotencyKey);
}

/** Whoever asks again for what was done gets the same answer, from every node. */
async function repeatSome(world: World): Promise<void> {
  const { writeLog, random, verdict } = world;
  const some = random.shuffled(writeLog.with('done')).slice(0, REPEATED);
  const again = some.map(async (entry) => {
    const answer = await askFor(world, entry.write);
    verdict.expect(isReplay(answer), 'a repeated write was not told as such', answer.text);
    entry.note(answer, verdict);
  });
  await Promise.all(again);
}

const isReplay = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true';

async function untilExpiriesAreNoted({ databaseUrl, verdict }: World): Promise<void> {
  const deadline = performance.now() + EXPIRED_BY_MS;
  for (;;) {
    const [open] = await query(
      databaseUrl,
      `SELECT hold_id FROM holds WHERE status = 'open'
         AND expires_at < (extract(epoch FROM now()) + 60) * 1000 LIMIT 1`,
    );
    if (!open) return;
    if (performance.now() > deadline) {
      return verdict.fault('the end of a hold was not noted', JSON.stringify(open));
    }
    await pause(PAUSE_MS);
  }
}
