import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '../config/operator-error.ts';
import { integer } from '../config/parsers.ts';
import { operations } from '../contract/operations.ts';
import { Auditor, chainFault, PersonalAuditor } from '../domain/rules/audit.ts';
import type { Fault } from '../domain/rules/comparison.ts';
import { type JournalRecord, recordText } from '../domain/rules/journal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { define, parseOption, type Result, UsageError } from './command.ts';
import { exportTo, linesOf, type Outlet } from './output.ts';
import { counted, Progress, printable } from './terminal.ts';
import { checkArguments, recordPages, requireRealm } from './with-ledger.ts';

export const exportJournal = define({
  summary: "Writes a realm's journal as lines of JSON.",
  notes:
    'Writes one line per record, in order, with its hash; docs/journal.md has the format. The\n' +
    'lines go to stdout by default, with or without --json.',
  args: ['realm'],
  options: {
    from: { value: '<seq>', help: 'First record to write. Default: 1.' },
    to: { value: '<file>', help: 'Write to a new file instead of stdout.' },
  },
  example: 'npx realmkeep journal export acme --to acme.ndjson',
  async run({ args: { realm }, values, print }) {
    const { from: typed = '1', to } = values;
    const from = parseOption('--from', typed, integer(1, Number.MAX_SAFE_INTEGER));
    checkArguments(operations.listEvents, { params: { realmID: realm } });
    const { records, head } = await exportTo(to, (ledger, outlet) =>
      copy(ledger, realm, from, outlet),
    );
    if (to === undefined) return;
    print({
      text: `Wrote ${counted(records, 'record')} of realm ${realm}, head ${head}`,
      json: { realmId: realm, from, records, head, file: to },
    });
  },
});

async function copy(
  ledger: Ledger,
  realmId: string,
  from: number,
  outlet: Outlet,
): Promise<{ records: number; head: string }> {
  await requireRealm(ledger, realmId);
  const end = await ledger.query('lastSeq', { realmId });
  if (from > end) {
    const fault = `There is no record ${from}: the journal of realm ${realmId} ends with ${end}.`;
    throw new OperatorError('no-such-record', fault);
  }
  const exported = { records: 0, head: '' };
  for await (const page of recordPages(ledger, realmId, from - 1)) {
    const last = page.at(-1);
    if (!last) break;
    await outlet.write(page.map((record) => `${exportLine(realmId, record)}\n`).join(''));
    exported.records += page.length;
    exported.head = last.hash;
    outlet.show(`Exporting ${realmId}: record ${last.seq} of ${Math.max(end, last.seq)}`);
  }
  return exported;
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
function parseLine(bytes: Uint8Array): { realmId: string; record: JournalRecord } | null {
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
  realmId = '';
  /** The number of the first record. */
  from = 0;
  /** How many records have passed. */
  records = 0;
  /** Null for an export that starts in the middle: what precedes it is unknown. */
  #auditor: Auditor | null = null;
  /** For an export without an auditor. */
  readonly #parts = new PersonalAuditor();
  #last: JournalRecord | null = null;
  readonly #expectedHead: string | null;
  #isHeadSeen = false;

  /** With a head recorded earlier, the export must have a record with that hash. */
  constructor(expectedHead: string | null) {
    this.#expectedHead = expectedHead;
  }

  get head(): string {
    return this.#last?.hash ?? '';
  }

  take(bytes: Uint8Array): Fault | null {
    const exported = parseLine(bytes);
    if (!exported) return { seq: null, detail: 'not a record in the export format' };
    const { realmId, record } = exported;
    const { seq } = record;
    if (!this.#last) {
      this.realmId = realmId;
      this.from = seq;
      if (seq <= 1) this.#auditor = new Auditor(realmId);
    }
    const fault =
      realmId === this.realmId
        ? this.#faultOf(record)
        : { seq, detail: `record ${seq} belongs to realm ${realmId}, not ${this.realmId}` };
    if (fault) return fault;
    this.#last = record;
    this.records += 1;
    if (record.hash === this.#expectedHead) this.#isHeadSeen = true;
    return null;
  }

  /** Faults that show only at the end. */
  end(): Fault | null {
    if (!this.#last) return { seq: null, detail: 'there are no records' };
    const lost = (this.#auditor?.parts ?? this.#parts).end();
    if (lost) return lost;
    if (this.#expectedHead === null || this.#isHeadSeen) return null;
    return { seq: null, detail: `no record has the hash ${this.#expectedHead}` };
  }

  /** Without an auditor, the first hash is trusted and only the chain is checked. */
  #faultOf(record: JournalRecord): Fault | null {
    if (this.#auditor) return this.#auditor.checkRecord(record);
    const fault = this.#last && chainFault(this.realmId, this.#last, record);
    return fault ?? this.#parts.checkRecord(record);
  }
}

/** Longer than any record. A line that is cut cannot pass for one. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

export const checkJournal = define({
  summary: 'Checks an exported journal, without a database.',
  notes:
    'Checks the numbers, hashes and balances of the records; "-" reads stdin. Exits with 1 if\n' +
    'it finds a fault. If the export starts in the middle of the journal, only the chain can be\n' +
    'checked. docs/journal.md has the format.',
  args: ['file'],
  options: {
    head: {
      value: '<hash>',
      help: 'A head recorded earlier: one of the records must have this hash.',
    },
  },
  example: 'npx realmkeep journal check acme.ndjson',
  async run({ args: { file }, values, print }) {
    const head = values.head?.toLowerCase() ?? null;
    if (head !== null && !/^[0-9a-f]{64}$/.test(head)) {
      throw new UsageError('--head must be a hash: 64 hexadecimal digits.');
    }
    if (file !== '-' && statSync(file).isDirectory()) {
      throw new UsageError(`${file} is a folder, not an exported file.`);
    }
    const checker = new ExportChecker(head);
    const found = await firstFault(file, checker);
    print(found ? faulty(file, checker, found) : sound(checker));
  },
});

interface Found {
  /** Null if the fault shows only at the end of the file. */
  line: number | null;
  fault: Fault;
}

async function firstFault(file: string, checker: ExportChecker): Promise<Found | null> {
  using progress = new Progress();
  const stream = file === '-' ? process.stdin : createReadStream(file);
  let line = 0;
  for await (const lines of linesOf(stream, MAX_LINE_BYTES)) {
    for (const bytes of lines) {
      line += 1;
      const fault = checker.take(bytes);
      if (fault) return { line, fault };
    }
    progress.show(`Checking: ${counted(checker.records, 'record')}`);
  }
  const fault = checker.end();
  return fault && { line: null, fault };
}

function sound({ realmId, from, records, head }: ExportChecker): Result {
  const isWhole = from === 1;
  const start = isWhole ? '' : ` from ${from} on`;
  const lines = [`${realmId}: ok, ${counted(records, 'record')}${start}, head ${head}`];
  if (!isWhole) {
    lines.push(
      'This export starts in the middle of the journal: the hash of its first record is trusted,',
      'and balances are not checked.',
    );
  }
  const json = { ok: true, realmId, records, from, head, balancesChecked: isWhole };
  return { text: lines.join('\n'), json };
}

function faulty(file: string, checker: ExportChecker, { line, fault }: Found): Result {
  const name = file === '-' ? 'stdin' : file;
  const place = line === null ? name : `${name}, line ${line}`;
  const text = printable(`${place}: ${fault.detail}`);
  return { text, json: { ok: false, records: checker.records, line, fault } };
}
