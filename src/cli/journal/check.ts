import { createReadStream, statSync } from 'node:fs';
import type { Fault } from '../../domain/rules/audit.ts';
import { define, type Result, UsageError } from '../command.ts';
import { counted, Progress } from '../progress.ts';
import { printable } from '../table.ts';
import { ExportChecker } from './export-checker.ts';

const LINE_FEED = 10;
/** Longer than any record: a file that is not an export must not fill the memory. */
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
  let line = 0;
  for await (const lines of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
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

/**
 * The lines of a stream, in chunks as they arrive. Split at line feeds only: Node's `readline` also
 * splits at U+2028, which a name may contain.
 */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of stream) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(Buffer.concat([...parts, chunk.subarray(start, end)]));
      parts = [];
      waiting = 0;
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
    waiting += chunk.length - start;
    // A line that is cut here cannot pass for one of an export.
    if (waiting > MAX_LINE_BYTES) break;
    yield lines;
  }
  if (parts.length > 0) yield [Buffer.concat(parts)];
}

function sound(checker: ExportChecker): Result {
  const { realmId, from, records, head } = checker.summary;
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
