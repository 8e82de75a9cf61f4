import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = 4_096;

/** A real file system of a few megabytes, in memory. */
export class SmallDisk {
  readonly folder: string;
  readonly #filler: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.#filler = join(folder, 'filler');
  }

  /** Null if this user may not mount file systems. */
  static mount(megabytes: number): SmallDisk | null {
    const folder = mkdtempSync(join(tmpdir(), 'realmkeep-disk-'));
    try {
      const options = `size=${megabytes}m,mode=0755`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
      return new SmallDisk(folder);
    } catch {
      rmdirSync(folder);
      return null;
    }
  }

  /** Takes this many bytes; all that are left, if not given. */
  fill(bytes = Number.POSITIVE_INFINITY): void {
    try {
      for (let left = bytes; left > 0; left -= CHUNK) {
        appendFileSync(this.#filler, Buffer.alloc(CHUNK));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  /** The bytes that are left. */
  available(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Gives back what was filled. */
  free(): void {
    rmSync(this.#filler, { force: true });
  }

  setReadOnly(isReadOnly: boolean): void {
    execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.folder]);
  }

  unmount(): void {
    // Lazily, since a process that was killed may take a moment to close its files.
    execFileSync('umount', ['-l', this.folder]);
    rmdirSync(this.folder);
  }
}

/** Why a test that needs such a disk is skipped; false if it need not be. */
export const skipWithout = (disk: SmallDisk | null): string | false =>
  disk === null && 'only root, on Linux, may mount the small file system that this test fills';

/**
 * A file system that believes to have more space than the disk below it: writes succeed, and when
 * the disk below is full, fsync fails.
 */
export class ThinDisk {
  readonly folder: string;
  readonly below: SmallDisk;

  private constructor(below: SmallDisk, folder: string) {
    this.below = below;
    this.folder = folder;
  }

  /** Null if this user may not mount file systems, or cannot make one. */
  static mount(megabytes: number): ThinDisk | null {
    const below = SmallDisk.mount(megabytes);
    if (below === null) return null;
    const folder = mkdtempSync(join(tmpdir(), 'realmkeep-disk-'));
    const image = join(below.folder, 'image');
    try {
      execFileSync('truncate', ['-s', `${4 * megabytes}M`, image]);
      execFileSync('mkfs.ext4', ['-q', '-F', '-O', '^has_journal', image], { stdio: 'ignore' });
      execFileSync('mount', ['-o', 'loop,errors=continue', image, folder], { stdio: 'ignore' });
      return new ThinDisk(below, folder);
    } catch {
      rmdirSync(folder);
      below.unmount();
      return null;
    }
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmdirSync(this.folder);
    this.below.unmount();
  }
}
