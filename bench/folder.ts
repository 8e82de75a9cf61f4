import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A new folder for the databases of a run. Not the system's temporary folder: that may be in
 * memory, where no write reaches a disk.
 */
export function newFolder(purpose: string): string {
  const data = join(import.meta.dirname, '..', 'data');
  mkdirSync(data, { recursive: true });
  return mkdtempSync(join(data, `${purpose}-`));
}
