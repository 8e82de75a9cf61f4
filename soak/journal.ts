import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realmkeep } from './service-node.ts';
import type { Verdict } from './verdict.ts';
import { REALM, type World } from './world.ts';

/** A record, as the feed or an export shows it. */
export interface JournalEvent {
  seq: number;
  type: string;
  data: Record<string, unknown>;
  /** The same for the same record, wherever it was read. */
  text: string;
}

export function journalEvent(shown: Record<string, unknown>): JournalEvent {
  const { seq, type, at, actor, data } = shown as unknown as JournalEvent & {
    [more: string]: unknown;
  };
  return { seq, type, data, text: JSON.stringify([seq, type, at, actor, data]) };
}

/** Exports the journal by the command line, and has the books checked there. */
export async function exported({ verdict, databaseUrl }: World): Promise<JournalEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-soak-'));
  try {
    const file = join(folder, 'journal.ndjson');
    const run = async (...words: string[]): Promise<void> => {
      const { code, stdout, stderr } = await realmkeep(words, databaseUrl);
      verdict.expect(code === 0, `realmkeep ${words[0]} found a fault`, stdout + stderr);
    };
    await Promise.all([run('journal', 'export', REALM, '--to', file), run('verify', REALM)]);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const events = lines.map((line) => journalEvent(JSON.parse(line)));
    const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
    verdict.expect(gap < 0, 'the journal has a gap', `at ${gap + 1}`);
    return events;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What the write that asked for a record can be told by; null where it is not of the load. */
export function markOf({ type, data }: JournalEvent): string | null {
  switch (type) {
    case 'points.added':
    case 'points.subtracted':
    case 'points.transferred':
    case 'points.held':
    case 'points.reversed':
      return `${type} ${data.description}`;
    case 'points.captured':
      return `${type} ${data.holdId} ${data.tokens}`;
    case 'points.released':
      return data.expiredAt === undefined ? `${type} ${data.holdId}` : null;
    default:
      return null;
  }
}

/** No hold gives more than it held, or anything after its end. */
export function checkHolds(events: JournalEvent[], verdict: Verdict): void {
  const left = new Map<unknown, number>();
  for (const { seq, type, data, text } of events) {
    const tokens = Number(data.tokens);
    if (type === 'points.held') left.set(seq, tokens);
    if (type !== 'points.captured' && type !== 'points.released') continue;
    const before = left.get(data.holdId) ?? 0;
    const isEnd = type === 'points.released';
    const cacheValid = isEnd ? before === tokens && tokens > 0 : before >= tokens;
    verdict.expect(cacheValid, 'a hold gave what it did not have', text);
    left.set(data.holdId, before - tokens);
  }
}
