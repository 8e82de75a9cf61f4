import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from './operator-error.ts';
import { ConfigError, type Parser } from './parsers.ts';

interface KeyFileKind {
  /** As in "The root key cannot be read". */
  noun: string;
  /** Whoever sets it needs no file. */
  setting: string;
  parse: Parser<string>;
}

interface StoredKey {
  key: string;
  isNew: boolean;
  /** Whether every user of the machine may read it. */
  isExposed: boolean;
}

/** A secret of the service in a file of its own, which the first start creates. */
export class KeyFile {
  readonly path: string;
  readonly #kind: KeyFileKind;

  constructor(path: string, kind: KeyFileKind) {
    this.path = path;
    this.#kind = kind;
  }

  /** Null if there is no such file. */
  read(): StoredKey | null {
    const { path } = this;
    const { noun, parse } = this.#kind;
    try {
      const key = parse(readFileSync(path, 'utf8').trim(), path);
      return { key, isNew: false, isExposed: isOpenToAll(statSync(path).mode) };
    } catch (error) {
      if (error instanceof ConfigError) throw this.unusable(`${error.message}.`, 'Correct it');
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      throw this.unusable(`The ${noun} cannot be read from ${path} (${code}).`, 'Correct that');
    }
  }

  /** If a process that starts at the same moment is faster, its key is returned. */
  create(key: string): StoredKey {
    if (this.#write(key)) return { key, isNew: true, isExposed: false };
    const found = this.read();
    if (found !== null) return found;
    // A link to nothing, for example.
    throw this.unusable(`${this.path} can neither be read nor created.`, 'Remove it');
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  unusable(sentence: string, advice: string): OperatorError {
    const { setting } = this.#kind;
    return new OperatorError('key-unusable', `${sentence} ${advice}, or set ${setting}.`);
  }

  /** False if the file exists. It appears complete, so that nobody ever reads part of a key. */
  #write(key: string): boolean {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
      try {
        writeFileSync(draft, `${key}\n`, { flag: 'wx', mode: 0o600, flush: true });
        link(draft, this.path);
      } finally {
        rmSync(draft, { force: true });
      }
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      const sentence = `The new ${this.#kind.noun} cannot be written to ${this.path} (${code}).`;
      throw this.unusable(sentence, 'Make the folder writable');
    }
  }
}

/** Unlike a rename, it never replaces a file. */
function link(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    // exFAT and some network file systems have no hard links.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    copyFileSync(draft, path, constants.COPYFILE_EXCL);
  }
}

/** On Windows, where access lists count, the mode of every file seems to allow all. */
const isOpenToAll = (mode: number): boolean => process.platform !== 'win32' && (mode & 0o007) !== 0;
