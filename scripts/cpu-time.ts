import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the process of a test file: at its end it writes the seconds of CPU time that it and
 * its own processes took to the file that CPU_TIME_FILE names.
 */
const TICKS_PER_SECOND = 100;

/** Only Linux tells; elsewhere only the time of the process itself is known. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0;
  // The name of the program, in brackets, may contain anything.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

const { CPU_TIME_FILE } = process.env;
if (CPU_TIME_FILE && isMainThread) {
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(CPU_TIME_FILE, String((user + system) / 1_000_000 + secondsOfChildren()));
  });
}
