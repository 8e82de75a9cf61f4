import { randomBytes } from 'node:crypto';
import {
  generateKey,
  generateRootKey,
  hashSecret,
  rootSessionKeyId,
} from '../domain/key-format.ts';
import { newCode } from '../domain/rules/sessions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Config } from './config.ts';
import { KeyFile } from './key-file.ts';
import { parseKey } from './parsers.ts';

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

interface SecretKey {
  key: string;
  /** Whether every user of the machine may read its file. */
  isExposed: boolean;
}

/**
 * SECRET_KEY if it is set, or else the key in the file secret.key, which the first start creates.
 * The database has nothing of it: a copy of the database alone opens no secret.
 */
export function openSecretKey(config: Config): SecretKey {
  if (config.secretKey !== null) return { key: config.secretKey, isExposed: false };
  const file = secretKeyFile(config);
  return file.read() ?? file.create(randomBytes(32).toString('base64url'));
}

export const secretKeyFile = ({ secretKeyPath }: Config): KeyFile =>
  new KeyFile(secretKeyPath, { noun: 'secret key', setting: 'SECRET_KEY', parse: parseKey });

/**
 * A link that signs in to the console as root, once and within 10 minutes. The code is in the
 * fragment, which browsers do not send, so no log has it. The database has its hash.
 */
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
