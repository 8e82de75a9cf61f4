import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isFull } from './errors.ts';

/** Room for the index of the log and for a few writes. */
const RESERVE_BYTES = 256 * 1024;

/**
 * A file that only takes space beside the database. On a full disk SQLite cannot even open a file
 * to read it, since the index of the log needs 32 kB; then the reserve is given up for that.
 */
export class Reserve {
  readonly #path: string | null;

  constructor(databasePath: string) {
    this.#path = databasePath === ':memory:' ? null : `${databasePath}-reserve`;
  }

  /** Opens a file, with the space of the reserve if there is no other. */
  opening<T>(open: () => T): T {
    try {
      return open();
    } catch (error) {
      if (!isFull(error) || !this.#exists()) throw error;
      this.giveUp();
      return open();
    }
  }

  giveUp(): void {
    if (this.#path !== null) rmSync(this.#path, { force: true });
  }

  /** Creates the reserve unless it exists or there is no space. */
  restore(): void {
    if (this.#exists()) return;
    try {
      this.renew();
    } catch {
      // A probe renews it when there is space.
    }
  }

  /** Replaces the reserve by a new one; throws if there is no space for that. */
  renew(): void {
    if (this.#path === null) return;
    const path = `${this.#path}.${process.pid}`;
    try {
      // Random, since some file systems compress.
      writeFileSync(path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      renameSync(path, this.#path);
    } catch (error) {
      rmSync(path, { force: true });
      // A folder that is not writable does not keep SQLite from writing to files that are open.
      if (isFull(error)) throw error;
    }
  }

  #exists(): boolean {
    return this.#path !== null && statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
  }
}
