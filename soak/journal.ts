import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Findings } from './findings.ts';
import { realmkeep } from './service-node.ts';
import { REALM, type World } from './world.ts';

/** A record as in the feed or an export. */
export interface JournalEvent {
  seq: number;
  type: string;
  data: Record<string, unknown>;
  /** Equal for the same record, wherever it was read. */
  text: string;
}

export function journalEvent(shown: Record<string, unknown>): JournalEvent {
  const { seq, type, at, actor, ...rest } = shown as unknown as JournalEvent & {
    [more: string]: unknown;
  };
  // An export has the personal part by itself.
  const { salt: _, ...personal } = (rest.personal ?? {}) as Record<string, unknown>;
  const data = { ...rest.data, ...personal };
  return { seq, type, data, text: JSON.stringify([seq, type, at, actor, data]) };
}

/** Exports the journal with the command line, which also verifies the realm. */
export async function exportJournal({ findings, databaseUrl }: World): Promise<JournalEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'realmkeep-soak-'));
  try {
    const file = join(folder, 'journal.ndjson');
    const run = async (...words: string[]): Promise<void> => {
      const { code, stdout, stderr } = await realmkeep(words, databaseUrl);
      findings.expect(code === 0, `realmkeep ${words[0]} found a fault`, stdout + stderr);
    };
    await Promise.all([run('journal', 'export', REALM, '--to', file), run('verify', REALM)]);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const events = lines.map((line) => journalEvent(JSON.parse(line)));
    const gap = events.findIndex(({ seq }, index) => seq !== index + 1);
    findings.expect(gap < 0, 'the journal has a gap', `at ${gap + 1}`);
    return events;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The mark of the write that caused a record; null if it is not one of the load. */
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

/** No hold may pay out more than its tokens, or anything after its end. */
export function checkHolds(events: JournalEvent[], findings: Findings): void {
  const left = new Map<unknown, number>();
  for (const { seq, type, data, text } of events) {
    const tokens = Number(data.tokens);
    if (type === 'points.held') left.set(seq, tokens);
    if (type !== 'points.captured' && type !== 'points.released') continue;
    const before = left.get(data.holdId) ?? 0;
    const isEnd = type === 'points.released';
    const isCovered = isEnd ? before === tokens && tokens > 0 : before >= tokens;
    findings.expect(isCovered, 'a hold paid out more than it had', text);
    left.set(data.holdId, before - tokens);
  }
}
