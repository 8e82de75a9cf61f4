import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, ConfigError, parseRootKey } from './config.ts';
import { generateRootKey, hashSecret } from './domain/key-format.ts';
import type { Ledger } from './engine/ledger.ts';
import { OperatorError } from './operator-error.ts';

export interface RootKey {
  hash: string;
  /** The key itself, if this start has created it. */
  created: string | null;
  /** The setting or file that it comes from; null if only its hash is known here. */
  from: string | null;
}

/**
 * ROOT_KEY if it is set, or else the key in the file root.key, which the first start creates. The
 * database has its hash, so that nodes with folders of their own agree on one key, and a restored
 * database keeps it.
 */
export async function openRootKey(ledger: Ledger, config: Config): Promise<RootKey> {
  const { rootKey, rootKeySetting, rootKeyPath: path, database } = config;
  if (rootKey !== null) return { hash: hashSecret(rootKey), created: null, from: rootKeySetting };
  const stored = await ledger.query('note', { name: 'root_key_hash' });
  const found = readKey(path);
  if (found === null && stored !== null) return { hash: stored, created: null, from: null };
  const isNew = found === null && createKey(path);
  const key = found ?? readKey(path);
  if (key === null) throw unusable(`The root key cannot be read from ${path}.`, 'Check the path');
  const hash = hashSecret(key);
  // The file of a SQLite database is the only one; on PostgreSQL, other nodes go by the hash.
  if (stored !== null && stored !== hash && database.kind === 'postgres') {
    const sentence = `${path} is not the root key of ${database.shown}, by which its nodes go.`;
    throw unusable(sentence, 'Delete the file or put the right one there');
  }
  if (stored === hash || (await ledger.housekeeping.storeRootKeyHash({ hash, replaced: stored }))) {
    return { hash, created: isNew ? key : null, from: path };
  }
  // Another process has stored a key meanwhile, and that one counts.
  if (isNew) rmSync(path, { force: true });
  return openRootKey(ledger, config);
}

const unusable = (sentence: string, advice: string): OperatorError =>
  new OperatorError('root-key-unusable', `${sentence} ${advice}, or set ROOT_KEY.`);

/** Null if there is no such file. */
function readKey(path: string): string | null {
  try {
    return parseRootKey(readFileSync(path, 'utf8').trim(), path);
  } catch (error) {
    if (error instanceof ConfigError) throw unusable(`${error.message}.`, 'Correct the file');
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(`The root key cannot be read from ${path} (${code}).`, 'Make it readable');
  }
}

/** False if a process that starts at the same moment has created the file already. */
function createKey(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${generateRootKey()}\n`, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    const sentence = `The new root key cannot be written to ${path} (${code}).`;
    throw unusable(sentence, 'Make the folder writable');
  }
}
