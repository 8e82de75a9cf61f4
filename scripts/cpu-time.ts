import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * The seconds of CPU time that a process took, and those of its processes that have ended. Only
 * Linux tells; elsewhere those of this process alone are known.
 */
export function cpuSecondsOf(pid: number): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage();
    return pid === process.pid ? (user + system) / 1_000_000 : 0;
  }
  // The name of the program, in brackets, may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS_PER_SECOND;
}
