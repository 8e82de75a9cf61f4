import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Integrity } from '../../engine/store.ts';
import { integrityFault } from './integrity.ts';
import { projectionsPath } from './projections/database.ts';

/**
 * Checks both files completely. That reads all of them and cannot be interrupted, so it has a
 * process of its own, which a stop can kill and which yields to the service on a busy machine.
 */
export function checkFiles(path: string, signal?: AbortSignal): Promise<Integrity> {
  return new Promise((resolve, reject) => {
    const args = [import.meta.filename, path];
    const options = { signal, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, args, options, (error, stdout) => {
      if (error) reject(error);
      else resolve(JSON.parse(stdout));
    });
  });
}

const [, entry, path] = process.argv;
if (entry === import.meta.filename && path !== undefined) {
  setPriority(constants.priority.PRIORITY_LOW);
  const integrity: Integrity = {
    database: integrityFault(path),
    projections: integrityFault(projectionsPath(path)),
  };
  process.stdout.write(JSON.stringify(integrity));
}
