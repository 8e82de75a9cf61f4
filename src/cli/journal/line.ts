import { type JournalRecord, recordText } from '../../domain/rules/journal.ts';

export interface ExportedRecord {
  realmId: string;
  record: JournalRecord;
}

/**
 * A record as an export has it: the text that its hash covers, with the hash put before the last
 * brace. Whoever checks it takes the last 75 characters off and needs no rules about how JSON is
 * to be written.
 */
export function exportLine(realmId: string, record: JournalRecord): string {
  return `${recordText(realmId, record).slice(0, -1)},"hash":"${record.hash}"}`;
}

const STRING = String.raw`("(?:[^"\\]|\\.)*")`;
const LINE = new RegExp(
  `^\\{"realmId":${STRING},"seq":(\\d+),"type":${STRING},"at":${STRING},"actor":${STRING}` +
    `,"data":(\\{.*\\}),"hash":"([0-9a-f]{64})"\\}$`,
  's',
);

/** Reads a line back; null unless it is, to the byte, what an export writes. */
export function parseLine(line: string): ExportedRecord | null {
  const [, realmId, seq, type, at, actor, data = '', hash = ''] = LINE.exec(line) ?? [];
  try {
    // Only to see that it is JSON: the text itself is what counts.
    JSON.parse(data);
    const record = {
      seq: Number(seq),
      type: text(type),
      at: Date.parse(text(at)),
      actor: text(actor),
      data,
      hash,
    };
    const exported = { realmId: text(realmId), record };
    return exportLine(exported.realmId, record) === line ? exported : null;
  } catch {
    // No JSON, or no instant.
    return null;
  }
}

const text = (quoted = ''): string => JSON.parse(quoted);
