import { Auditor, chainFault, type Fault, PersonalAuditor } from '../../domain/rules/audit.ts';
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
function parseLine(bytes: Uint8Array): ExportedRecord | null {
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

/** Checks an export line by line, whether or not it starts at the beginning of the journal. */
export class ExportChecker {
  /** Null for an export that starts in the middle: what precedes it is unknown. */
  #auditor: Auditor | null = null;
  /** For an export without an auditor. */
  readonly #parts = new PersonalAuditor();
  #realmId = '';
  #from = 0;
  #last: JournalRecord | null = null;
  #records = 0;
  readonly #expectedHead: string | null;
  #isHeadSeen = false;

  /** With a head recorded earlier, the export must have a record with that hash. */
  constructor(expectedHead: string | null) {
    this.#expectedHead = expectedHead;
  }

  /** How many records have passed. */
  get records(): number {
    return this.#records;
  }

  get summary() {
    const { hash = '' } = this.#last ?? {};
    return { realmId: this.#realmId, from: this.#from, records: this.#records, head: hash };
  }

  take(bytes: Uint8Array): Fault | null {
    const exported = parseLine(bytes);
    if (!exported) return { seq: null, detail: 'not a record in the export format' };
    const { realmId, record } = exported;
    if (!this.#last) this.#begin(realmId, record.seq);
    if (realmId !== this.#realmId) {
      const detail = `record ${record.seq} belongs to realm ${realmId}, not ${this.#realmId}`;
      return { seq: record.seq, detail };
    }
    const fault = this.#faultOf(record);
    if (fault) return fault;
    this.#last = record;
    this.#records += 1;
    if (record.hash === this.#expectedHead) this.#isHeadSeen = true;
    return null;
  }

  /** Faults that show only at the end. */
  end(): Fault | null {
    if (!this.#last) return { seq: null, detail: 'there are no records' };
    const lost = this.#auditor ? this.#auditor.checkParts() : this.#parts.end();
    if (lost) return lost;
    if (this.#expectedHead === null || this.#isHeadSeen) return null;
    return { seq: null, detail: `no record has the hash ${this.#expectedHead}` };
  }

  #begin(realmId: string, seq: number): void {
    this.#realmId = realmId;
    this.#from = seq;
    if (seq <= 1) this.#auditor = new Auditor(realmId);
  }

  /** Without an auditor, the first hash is trusted and only the chain is checked. */
  #faultOf(record: JournalRecord): Fault | null {
    if (this.#auditor) return this.#auditor.checkRecord(record);
    const fault = this.#last && chainFault(this.#realmId, this.#last, record);
    return fault ?? this.#parts.checkRecord(record);
  }
}
