import { type JournalRecord, recordText } from '../../domain/rules/journal.ts';

interface ExportedRecord {
  realmId: string;
  record: JournalRecord;
}

/**
 * A record as an export has it: the text that its hash covers, with the personal part, if there is
 * one, and the hash inserted before the last brace. A checker cuts off both and needs no rules of
 * JSON formatting.
 */
export function exportLine(realmId: string, record: JournalRecord): string {
  const { personal, hash } = record;
  const part = personal === null ? '' : `,"personal":${personal}`;
  return `${recordText(realmId, record).slice(0, -1)}${part},"hash":"${hash}"}`;
}

const STRING = String.raw`("(?:[^"\\]|\\.)*")`;
const LINE = new RegExp(
  `^\\{"realmId":${STRING},"seq":(\\d+),"type":${STRING},"at":${STRING},"actor":${STRING}` +
    `,"data":(\\{.*?\\})(?:,"personalHash":"([0-9a-f]{64})"(?:,"personal":(\\{.*\\}))?)?` +
    `,"hash":"([0-9a-f]{64})"\\}$`,
  's',
);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a line; null unless it is, to the byte, what an export writes. */
export function parseLine(bytes: Uint8Array): ExportedRecord | null {
  try {
    const line = utf8.decode(bytes);
    const found = LINE.exec(line) ?? [];
    const [, realmId, seq, type, at, actor, data = '', personalHash, personal, hash = ''] = found;
    // Only to check that it is JSON: the text itself is what counts.
    for (const part of [data, personal ?? '{}']) JSON.parse(part);
    const record = {
      seq: Number(seq),
      type: text(type),
      at: Date.parse(text(at)),
      actor: text(actor),
      data,
      personal: personal ?? null,
      personalHash: personalHash ?? null,
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
