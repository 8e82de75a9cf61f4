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
const { TEST_STORAGE, TIMES_FILE } = process.env;

let [seconds, cpuSeconds] = [0, 0];
for (const file of process.argv.slice(2)) {
  await suite(`${file} (${TEST_STORAGE})`, async () => {
    await import(pathToFileURL(join(ROOT, file)).href);
  });
  // Both since the start of the process.
  const now = [performance.now() / 1_000, cpuSecondsOf(process.pid)] as const;
  const spent = [now[0] - seconds, now[1] - cpuSeconds];
  [seconds, cpuSeconds] = now;
  // As each file ends, since the process may not live to see the end of the next one.
  if (TIMES_FILE) appendFileSync(TIMES_FILE, `${spent.join(' ')}\n`);
}
