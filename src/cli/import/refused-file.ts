import { type FileHandle, open } from 'node:fs/promises';
import { parse as parsePath, resolve } from 'node:path';
import { UsageError } from '../command.ts';
import type { Source, SourceRow } from './source.ts';

/**
 * Where refused rows go by default: beside the file, into the first of these that does not exist.
 * One that exists may have been corrected by hand since, or be that of another import.
 */
export function refusedPaths(file: string): Iterable<string> {
  // Names that the system gives to other files, such as /dev/stdin.
  if (!/^\/(dev|proc)\//.test(resolve(file))) return pathsBeside(file);
  throw new UsageError(`Refused rows cannot be written beside ${file}. Add --refused <file>.`);
}

function* pathsBeside(file: string): Generator<string, never> {
  const { ext } = parsePath(file);
  const stem = `${file.slice(0, file.length - ext.length)}.refused`;
  yield `${stem}${ext}`;
  for (let number = 2; ; number += 1) yield `${stem}-${number}${ext}`;
}

/** Refused rows, each with its line and reason; there is no file unless there is one of them. */
export class RefusedFile {
  readonly #paths: Iterable<string>;
  readonly #source: Source;
  #file: FileHandle | null = null;
  #path: string | null = null;

  constructor(paths: Iterable<string>, source: Source) {
    this.#paths = paths;
    this.#source = source;
  }

  get path(): string | null {
    return this.#path;
  }

  async add(row: SourceRow, reason: string): Promise<void> {
    this.#file ??= await this.#create();
    await this.#file.appendFile(row.refused(reason));
  }

  async #create(): Promise<FileHandle> {
    let fault: unknown;
    for (const path of this.#paths) {
      try {
        const file = await open(path, 'wx', 0o600);
        this.#path = path;
        await file.appendFile(this.#source.refusedHeader);
        return file;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        fault = error;
      }
    }
    throw fault;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }
}
