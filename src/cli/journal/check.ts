import { createReadStream, statSync } from 'node:fs';
import type { Fault } from '../../domain/rules/audit.ts';
import { define, type Result, UsageError } from '../command.ts';
import { linesOf } from '../lines.ts';
import { counted, Progress, printable } from '../terminal.ts';
import { ExportChecker } from './export-file.ts';

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
