import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** The version that a program prints; null if there is no such program. */
export function versionOf(program: string): string | null {
  try {
    return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return null;
  }
}

/** The oldest Node that people may have, somewhere on the machine. */
export const node20 = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((program) => versionOf(program)?.startsWith('v20.'));
