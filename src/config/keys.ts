import { randomBytes, randomUUID } from 'node:crypto';
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
import {
  generateKey,
  generateRootKey,
  hashSecret,
  rootSessionKeyId,
} from '../domain/key-format.ts';
import type { NoteName } from '../domain/queries.ts';
import { newCode } from '../domain/rules/sessions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Config } from './config.ts';
import { OperatorError } from './operator-error.ts';
import { ConfigError, parseKey } from './parsers.ts';

export interface RootKey {
  hash: string;
  /** The key itself, if this start has created it. */
  created: string | null;
  /** The setting or file that it comes from; null if only its hash is known here. */
  from: string | null;
  /** Whether every user of the machine may read the file. */
  isExposed: boolean;
}

const ROOT_KEY_HASH: NoteName = 'root_key_hash';

/**
 * ROOT_KEY if it is set, or else the key in the file root.key, which the first start creates. The
 * database has its hash, so that nodes with folders of their own agree on one key, and a restored
 * database keeps it.
 */
export async function openRootKey(ledger: Ledger, config: Config): Promise<RootKey> {
  const { rootKey, rootKeySetting: from } = config;
  if (rootKey !== null) return withoutFile(hashSecret(rootKey), from);
  const file = rootKeyFile(config);
  const stored = await ledger.query('note', { name: ROOT_KEY_HASH });
  const found = file.read();
  if (found === null && stored !== null) return withoutFile(stored, null);
  const { key, isNew, isExposed } = found ?? file.create(generateRootKey());
  const hash = hashSecret(key);
  refuseOtherKey(config, hash, stored);
  const note = { name: ROOT_KEY_HASH, value: hash, replaced: stored };
  if (stored === hash || (await ledger.housekeeping.storeNote(note))) {
    return { hash, created: isNew ? key : null, from: file.path, isExposed };
  }
  // Another process has stored a key meanwhile, and that one counts.
  if (isNew) file.remove();
  return openRootKey(ledger, config);
}

/** Lines about a key of which only the hash is known here. */
export const ROOT_KEY_ELSEWHERE = [
  'root.key is not in this folder; the key created first is still valid.',
  'To replace it, set ROOT_KEY.',
];

export const rootKeyFile = ({ rootKeyPath }: Config): KeyFile =>
  new KeyFile(rootKeyPath, 'root key', 'ROOT_KEY');

/** The file of a SQLite database is the only one; on PostgreSQL, other nodes go by the hash. */
export function refuseOtherKey(config: Config, hash: string, stored: string | null): void {
  const { database, rootKeyPath } = config;
  if (stored === null || stored === hash || database.kind === 'sqlite') return;
  throw rootKeyFile(config).unusable(
    `${rootKeyPath} is not the root key of ${database.shown}, by which its nodes go.`,
    'Delete it or put the right one there',
  );
}

const withoutFile = (hash: string, from: string | null): RootKey => ({
  hash,
  created: null,
  from,
  isExposed: false,
});

/** As the root key, but the database has nothing of it: a copy of that alone opens no secret. */
export function openSecretKey(config: Config): Omit<StoredKey, 'isNew'> {
  if (config.secretKey !== null) return { key: config.secretKey, isExposed: false };
  const file = secretKeyFile(config);
  return file.read() ?? file.create(randomBytes(32).toString('base64url'));
}

export const secretKeyFile = ({ secretKeyPath }: Config): KeyFile =>
  new KeyFile(secretKeyPath, 'secret key', 'SECRET_KEY');

/** Signs in as root, once, within 10 minutes. Browsers do not send the fragment with the code. */
export async function createConsoleLink(
  { housekeeping }: Pick<Ledger, 'housekeeping'>,
  rootHash: string,
  page: string,
): Promise<string> {
  const { key: code, newKey } = generateKey();
  const keyId = rootSessionKeyId(rootHash);
  await housekeeping.createSession(newCode({ newKey, keyId, now: Date.now() }));
  return `${page}#code=${code}`;
}

interface StoredKey {
  key: string;
  isNew: boolean;
  isExposed: boolean;
}

/** A secret of the service in a file of its own, which the first start creates. */
export class KeyFile {
  readonly path: string;
  /** As in "The root key cannot be read". */
  readonly #noun: string;
  /** Whoever sets it needs no file. */
  readonly #setting: string;

  constructor(path: string, noun: string, setting: string) {
    this.path = path;
    this.#noun = noun;
    this.#setting = setting;
  }

  read(): StoredKey | null {
    const { path } = this;
    try {
      const key = parseKey(readFileSync(path, 'utf8').trim(), path);
      return { key, isNew: false, isExposed: isOpenToAll(statSync(path).mode) };
    } catch (error) {
      if (error instanceof ConfigError) throw this.unusable(`${error.message}.`, 'Correct it');
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      const sentence = `The ${this.#noun} cannot be read from ${path} (${code}).`;
      throw this.unusable(sentence, 'Correct that');
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
    return new OperatorError('key-unusable', `${sentence} ${advice}, or set ${this.#setting}.`);
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
      const sentence = `The new ${this.#noun} cannot be written to ${this.path} (${code}).`;
      throw this.unusable(
        sentence,
        code === 'ENOSPC' ? 'Free some space' : 'Make the folder writable',
      );
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
