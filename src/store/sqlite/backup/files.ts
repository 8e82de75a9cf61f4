import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { DAY_MS } from '../../../domain/rules/time.ts';
import { createPrivateFile } from '../database.ts';

/** A backup in a folder, as its name and the file system describe it. */
export interface BackupFile {
  path: string;
  /** When it was begun: it contains what was acknowledged before. */
  at: number;
  bytes: number;
}

/** What became of old backups. The new one is good, even if some could not be deleted. */
export interface Rotation {
  removed: string[];
  /** Why others are still there; null if none is. */
  fault: string | null;
}

/**
 * The backups of one database in a folder. Their names begin with that of the database, so that
 * databases of different names can share a folder, and sort by time.
 */
export class BackupFolder {
  readonly #folder: string;
  readonly #stem: string;

  constructor(folder: string, databasePath: string) {
    this.#folder = folder;
    this.#stem = basename(databasePath, extname(databasePath));
  }

  pathAt(instant: number): string {
    const stamp = new Date(instant).toISOString().replaceAll(':', '-');
    return join(this.#folder, `${this.#stem}-${stamp}.db`);
  }

  /**
   * The newest first. Those from the future were made by a clock that was ahead, nobody knows when,
   * and come last: otherwise they would never be rotated away, and all later ones at once.
   */
  list(now: number): BackupFile[] {
    const names = namesIn(this.#folder).toSorted().reverse();
    const found = names.flatMap((name) => {
      const at = this.#instantOf(name);
      const path = join(this.#folder, name);
      const bytes = statSync(path, { throwIfNoEntry: false })?.size;
      return at === null || bytes === undefined ? [] : [{ path, at, bytes }];
    });
    const { past = [], future = [] } = Object.groupBy(found, ({ at }) =>
      at <= now ? 'past' : 'future',
    );
    return [...past, ...future];
  }

  /** Deletes all but the newest; `latest` stays even if the clock was set back meanwhile. */
  rotate(keep: number, latest: string): Rotation {
    const rotation: Rotation = { removed: [], fault: null };
    try {
      const others = this.list(Date.now()).filter(({ path }) => path !== latest);
      for (const { path } of others.slice(keep - 1)) {
        rmSync(path, { force: true });
        rotation.removed.push(path);
      }
    } catch (error) {
      rotation.fault = (error as Error).message;
    }
    return rotation;
  }

  #instantOf(name: string): number | null {
    if (!name.startsWith(`${this.#stem}-`)) return null;
    const stamp = name.slice(this.#stem.length + 1);
    const [, day, hours, minutes, rest] = STAMP.exec(stamp) ?? [];
    return day === undefined ? null : Date.parse(`${day}T${hours}:${minutes}:${rest}`);
  }
}

const STAMP = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

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
