import { randomBytes } from 'node:crypto';
import { type Config, parseKey } from '../config/config.ts';
import { KeyFile } from './key-file.ts';

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
