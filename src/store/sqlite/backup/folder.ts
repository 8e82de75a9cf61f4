import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

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
    const attempt = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        rotation.fault ??= (error as Error).message;
      }
    };
    attempt(() => {
      const others = this.list(Date.now()).filter(({ path }) => path !== latest);
      for (const { path } of others.slice(keep - 1)) {
        attempt(() => {
          rmSync(path, { force: true });
          rotation.removed.push(path);
        });
      }
    });
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

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
