import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { parse as parsePath } from 'node:path';
import type { Source, SourceRow } from './source.ts';

/**
 * Where refused rows go by default: beside the file. One that is there already may have been
 * corrected by hand since, so a later one has a number.
 */
export function refusedPath(file: string): string {
  const { ext } = parsePath(file);
  const stem = `${file.slice(0, file.length - ext.length)}.refused`;
  let path = `${stem}${ext}`;
  for (let number = 2; existsSync(path); number += 1) path = `${stem}-${number}${ext}`;
  return path;
}

/** Refused rows, each with its line and reason; there is no file unless there is one of them. */
export class RefusedFile {
  readonly #path: string;
  readonly #source: Source;
  #file: FileHandle | null = null;

  constructor(path: string, source: Source) {
    this.#path = path;
    this.#source = source;
  }

  get path(): string | null {
    return this.#file && this.#path;
  }

  async add(row: SourceRow, reason: string): Promise<void> {
    if (this.#file === null) {
      this.#file = await open(this.#path, 'wx', 0o600);
      await this.#file.appendFile(this.#source.refusedHeader);
    }
    await this.#file.appendFile(row.refused(reason));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
