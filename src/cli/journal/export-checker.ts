import { Auditor, chainFault, type Fault } from '../../domain/rules/audit.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { parseLine } from './export-line.ts';

/** Takes records in order and reports the first fault. */
interface Chain {
  checkRecord(record: JournalRecord): Fault | null;
}

/** Checks an export line by line, whether or not it starts at the beginning of the journal. */
export class ExportChecker {
  #chain: Chain | null = null;
  #first = 0;
  #last: JournalRecord | null = null;
  #realmId = '';
  #records = 0;
  readonly #expectedHead: string | null;
  #isHeadSeen = false;

  /** With a head recorded earlier, the export must have a record with that hash. */
  constructor(expectedHead: string | null = null) {
    this.#expectedHead = expectedHead;
  }

  /** How many records have passed. */
  get records(): number {
    return this.#records;
  }

  get summary() {
    const { hash = '' } = this.#last ?? {};
    return { realmId: this.#realmId, from: this.#first, records: this.#records, head: hash };
  }

  take(bytes: Uint8Array): Fault | null {
    const line = decoded(bytes);
    const exported = line === null ? null : parseLine(line);
    if (!exported) return { seq: null, detail: 'not a record in the export format' };
    const { realmId, record } = exported;
    this.#chain ??= this.#begin(realmId, record);
    if (realmId !== this.#realmId) {
      const detail = `record ${record.seq} belongs to realm ${realmId}, not ${this.#realmId}`;
      return { seq: record.seq, detail };
    }
    const fault = this.#chain.checkRecord(record);
    if (fault) return fault;
    this.#last = record;
    this.#records += 1;
    if (record.hash === this.#expectedHead) this.#isHeadSeen = true;
    return null;
  }

  /** Faults that show only at the end. */
  end(): Fault | null {
    if (this.#last === null) return { seq: null, detail: 'there are no records' };
    if (this.#expectedHead === null || this.#isHeadSeen) return null;
    return { seq: null, detail: `no record has the hash ${this.#expectedHead}` };
  }

  #begin(realmId: string, { seq }: JournalRecord): Chain {
    this.#realmId = realmId;
    this.#first = seq;
    return seq > 1 ? new TrustingChain(realmId) : new Auditor(realmId);
  }
}

/** A chain that starts in the middle: what precedes it is unknown, so its first hash is trusted. */
class TrustingChain implements Chain {
  readonly #realmId: string;
  #last: JournalRecord | null = null;

  constructor(realmId: string) {
    this.#realmId = realmId;
  }

  checkRecord(record: JournalRecord): Fault | null {
    const last = this.#last;
    this.#last = record;
    return last && chainFault(this.#realmId, last, record);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
