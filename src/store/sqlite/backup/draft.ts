import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DAY_MS } from '../../../domain/rules/time.ts';
import { createPrivateFile } from '../database.ts';
import { namesIn } from './folder.ts';

/**
 * A file that is being written under a name of its own, and gets its real one when it is complete:
 * a crash leaves no half of it with a good name. Disposing removes what was not published.
 */
export class Draft {
  readonly path: string;
  readonly #target: string;

  constructor(target: string) {
    this.#target = target;
    this.path = `${target}.${process.pid}@${hostname()}.realmkeep-draft`;
    removeDraft(this.path);
    createPrivateFile(this.path);
  }

  /** Replaces the target, durably. */
  publish(): void {
    fsync(this.path);
    renameSync(this.path, this.#target);
    fsync(dirname(this.#target));
  }

  [Symbol.dispose](): void {
    removeDraft(this.path);
  }
}

/** Removes the drafts of processes that were killed, if that is possible. */
export function removeAbandonedDrafts(folder: string): void {
  try {
    for (const name of namesIn(folder)) {
      const [, pid, host] = /\.(\d+)@(.+)\.realmkeep-draft$/.exec(name) ?? [];
      const path = join(folder, name);
      if (pid !== undefined && isAbandoned(path, Number(pid), host)) removeDraft(path);
    }
  } catch {
    // They only take space; what cannot be done in this folder will show soon enough.
  }
}

/**
 * In a container another process soon has the same id, and of other machines, with which a folder
 * may be shared, nothing is known; but nobody works on a draft for a day.
 */
function isAbandoned(path: string, pid: number, host: string | undefined): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const hasEnded = host === hostname() && !isRunning(pid);
  return hasEnded || Date.now() - stats.mtimeMs > DAY_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function removeDraft(path: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(path + end, { force: true });
}

function fsync(path: string): void {
  // Windows cannot open a folder; its file systems log a rename themselves.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
