import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command.ts';

/** Where an export goes. */
export type Sink = (text: string) => Promise<void>;

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
export const toStdout: Sink = (text) =>
  new Promise((done) => {
    process.stdout.write(text, (error) => {
      if (!error) done();
    });
  });

/**
 * The file gets its name once it is complete on disk: a partial export would look complete. Until
 * then its name is random, because another export to the same file may be running.
 */
export async function intoFile<T>(path: string, work: (sink: Sink) => Promise<T>): Promise<T> {
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
