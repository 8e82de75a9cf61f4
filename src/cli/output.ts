import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { UsageError } from './command.ts';
import { Progress } from './terminal.ts';
import { withLedger } from './with-ledger.ts';

/** Where an export goes, and how far it is. */
export interface Outlet {
  write(text: string): Promise<void>;
  show(progress: string): void;
}

/** Writes to a new file or, if none is named, to stdout. */
export async function exportTo<T>(
  file: string | undefined,
  work: (ledger: Ledger, outlet: Outlet) => Promise<T>,
): Promise<T> {
  if (file !== undefined) refuseUnusable('--to', file);
  using progress = new Progress();
  const show = (text: string) => progress.show(text);
  return await withLedger((ledger) => {
    if (file !== undefined) return intoFile(file, (write) => work(ledger, { write, show }));
    // Not in between the rows, if both go to the same terminal.
    return work(ledger, { write: toStdout, show: process.stdout.isTTY ? () => {} : show });
  });
}

/** Refuses a file that an option names before anything is done for it. */
export function refuseUnusable(option: string, file: string): void {
  if (!existsSync(dirname(file))) throw new UsageError(`There is no folder ${dirname(file)}.`);
  refuseExisting(option, file);
}

/** An old export may be the only evidence of what the journal once contained. */
function refuseExisting(option: string, file: string): void {
  if (!existsSync(file)) return;
  throw new UsageError(`${option} names an existing file, which is never overwritten.`);
}

/** Waits until the text is written. If that fails, main() ends the process. */
const toStdout = (text: string): Promise<void> =>
  new Promise((done) => {
    process.stdout.write(text, (error) => {
      if (!error) done();
    });
  });

/**
 * The file gets its name once it is complete on disk: a partial export would look complete. Until
 * then its name is random, because another export to the same file may be running.
 */
async function intoFile<T>(path: string, work: (write: Outlet['write']) => Promise<T>): Promise<T> {
  const part = `${path}.${randomUUID()}.part`;
  // It has names and accounts of people.
  const file = await open(part, 'wx', 0o600);
  try {
    const result = await work((text) => file.appendFile(text));
    await file.sync();
    await file.close();
    refuseExisting('--to', path);
    await rename(part, path);
    return result;
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error;
  }
}

const LINE_FEED = 10;

/**
 * The lines of a stream, in chunks as they arrive. Split at line feeds only: Node's `readline` also
 * splits at U+2028, which a name may contain. A line that becomes longer than `maxBytes` is the
 * last one, and cut: a file of another kind must not fill the memory.
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer[]> {
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
    yield lines;
    if (waiting > maxBytes) break;
  }
  if (parts.length > 0) yield [Buffer.concat(parts)];
}
