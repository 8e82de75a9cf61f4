import { type Config, parseKey } from '../config/config.ts';
import { generateRootKey, hashSecret } from '../domain/key-format.ts';
import type { Ledger } from '../engine/ledger.ts';
import { KeyFile } from './key-file.ts';

export interface RootKey {
  hash: string;
  /** The key itself, if this start has created it. */
  created: string | null;
  /** The setting or file that it comes from; null if only its hash is known here. */
  from: string | null;
  /** Whether every user of the machine may read the file. */
  isExposed: boolean;
}

/**
 * ROOT_KEY if it is set, or else the key in the file root.key, which the first start creates. The
 * database has its hash, so that nodes with folders of their own agree on one key, and a restored
 * database keeps it.
 */
export async function openRootKey(ledger: Ledger, config: Config): Promise<RootKey> {
  const { rootKey, rootKeySetting: from, database } = config;
  if (rootKey !== null) return withoutFile(hashSecret(rootKey), from);
  const file = rootKeyFile(config);
  const stored = await ledger.query('note', { name: 'root_key_hash' });
  const found = file.read();
  if (found === null && stored !== null) return withoutFile(stored, null);
  const { key, isNew, isExposed } = found ?? file.create(generateRootKey());
  const hash = hashSecret(key);
  // The file of a SQLite database is the only one; on PostgreSQL, other nodes go by the hash.
  if (stored !== null && stored !== hash && database.kind === 'postgres') {
    const sentence = `${file.path} is not the root key of ${database.shown}`;
    throw file.unusable(
      `${sentence}, by which its nodes go.`,
      'Delete the file or put the right one there',
    );
  }
  if (stored === hash || (await ledger.housekeeping.storeRootKeyHash({ hash, replaced: stored }))) {
    return { hash, created: isNew ? key : null, from: file.path, isExposed };
  }
  // Another process has stored a key meanwhile, and that one counts.
  if (isNew) file.remove();
  return openRootKey(ledger, config);
}

export const rootKeyFile = ({ rootKeyPath }: Config): KeyFile =>
  new KeyFile(rootKeyPath, { noun: 'root key', setting: 'ROOT_KEY', parse: parseKey });

const withoutFile = (hash: string, from: string | null): RootKey => ({
  hash,
  created: null,
  from,
  isExposed: false,
});
