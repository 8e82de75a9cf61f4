import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cpuSecondsOf } from './cpu-time.ts';

/**
 * Runs the test files that it is given, one after another. Each is a suite, so that the hooks of a
 * file run before and after its own tests. Most of the cost of a small file is to start Node and to
 * compile the service, and that the files of a process share.
 */
const ROOT = join(import.meta.dirname, '..');
const { TEST_STORAGE, TIMES_FILE, FILE_TIMEOUT_MS } = process.env;
/** A file that waits for ever fails, instead of stopping all others. */
const timeout = Number(FILE_TIMEOUT_MS);

/** Loads the tests of a file; it may wait for what they need. */
async function load(file: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it does not load')), timeout);
  await Promise.race([import(pathToFileURL(join(ROOT, file)).href), late.promise]);
  clearTimeout(timer);
}

let [seconds, cpuSeconds] = [0, 0];
for (const file of process.argv.slice(2)) {
  await suite(`${file} (${TEST_STORAGE})`, { timeout }, () => load(file));
  // Both since the start of the process.
  const now = [performance.now() / 1_000, cpuSecondsOf(process.pid)] as const;
  const spent = [now[0] - seconds, now[1] - cpuSeconds];
  [seconds, cpuSeconds] = now;
  // As each file ends, since the process may not live to see the end of the next one.
  if (TIMES_FILE) appendFileSync(TIMES_FILE, `${spent.join(' ')}\n`);
}

const leftOpen = (): void => {
  console.error(`a file left open: ${process.getActiveResourcesInfo().join(', ')}`);
  process.exit(1);
};
setTimeout(leftOpen, timeout).unref();
