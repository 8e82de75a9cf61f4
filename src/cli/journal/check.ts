import { createReadStream } from 'node:fs';
import type { Fault } from '../../domain/rules/audit.ts';
import { define, type Said, UsageError } from '../command.ts';
import { printable } from '../table.ts';
import { ExportChecker } from './checker.ts';
import { counted, Progress } from './progress.ts';

const LINE_FEED = 10;
/** Longer than any record: what is not an export at all should not fill the cache. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

export const checkJournal = define({
  summary: 'Checks an export of a journal, without any database.',
  notes:
    'Checks the numbers, the hashes and the balances in the records; "-" reads from stdin. It\n' +
    'ends with 1 if there is a fault. Of an export from the middle of a journal, only the chain\n' +
    'can be checked. docs/journal.md has the format.',
  args: ['file'],
  options: {
    head: {
      type: 'string',
      value: '<hash>',
      help: 'A head that was noted before: one of the records must have this hash.',
    },
  },
  example: 'realmkeep journal check acme.ndjson',
  async run({ args: { file }, values, say }) {
    const head = values.head?.toLowerCase() ?? null;
    if (head !== null && !/^[0-9a-f]{64}$/.test(head)) {
      throw new UsageError('--head must be a hash: 64 hexadecimal digits.');
    }
    const checker = new ExportChecker(head);
    const found = await firstFault(file, checker);
    say(found ? faulty(file, checker, found) : sound(checker));
  },
});

interface Found {
  /** Null where the end of the file is the place. */
  line: number | null;
  fault: Fault;
}

async function firstFault(file: string, checker: ExportChecker): Promise<Found | null> {
  const progress = new Progress();
  let line = 0;
  try {
    for await (const lines of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
      for (const bytes of lines) {
        line += 1;
        const fault = checker.take(bytes);
        if (fault) return { line, fault };
      }
      progress.tell(`Checking: ${counted(checker.records, 'record')}`);
    }
    const fault = checker.end();
    return fault && { line: null, fault };
  } finally {
    progress.end();
  }
}

/**
 * The lines of a stream, as many at a time as came in. By line feeds alone: Node's `readline` takes
 * U+2028 for an end of line, too, and that may stand in a name.
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
    // Cut there, it is a line that no export has.
    if (waiting > MAX_LINE_BYTES) break;
    yield lines;
  }
  if (parts.length > 0) yield [Buffer.concat(parts)];
}

function sound(checker: ExportChecker): Said {
  const { realmId, from, records, head } = checker.summary;
  const isWhole = from === 1;
  const start = isWhole ? '' : ` from ${from} on`;
  const lines = [`${realmId}: ok, ${counted(records, 'record')}${start}, head ${head}`];
  if (!isWhole) {
    lines.push(
      'This export begins in the middle: the hash of its first record is taken on trust, and',
      'balances are not checked.',
    );
  }
  const json = { ok: true, realmId, records, from, head, balancesChecked: isWhole };
  return { text: lines.join('\n'), json };
}

function faulty(file: string, checker: ExportChecker, { line, fault }: Found): Said {
  const name = file === '-' ? 'stdin' : file;
  const place = line === null ? name : `${name}, line ${line}`;
  const text = printable(`${place}: ${fault.detail}`);
  return { text, json: { ok: false, records: checker.records, line, fault } };
}
