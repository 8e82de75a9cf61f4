import { type JournalRecord, recordText } from '../../domain/rules/journal.ts';

interface ExportedRecord {
  realmId: string;
  record: JournalRecord;
}

/**
 * A record as an export has it: the text that its hash covers, with the hash inserted before the
 * last brace. A checker cuts off the last 75 characters and needs no rules of JSON formatting.
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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a line; null unless it is, to the byte, what an export writes. */
export function parseLine(bytes: Uint8Array): ExportedRecord | null {
  try {
    const line = utf8.decode(bytes);
    const [, realmId, seq, type, at, actor, data = '', hash = ''] = LINE.exec(line) ?? [];
    // Only to check that it is JSON: the text itself is what counts.
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
    // Not UTF-8, not JSON, or not an instant.
    return null;
  }
}

const text = (quoted = ''): string => JSON.parse(quoted);
