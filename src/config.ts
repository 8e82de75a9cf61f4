import { readFileSync } from 'node:fs';

/** The only place that reads the environment. */
export interface Config {
  host: string;
  port: number;
  database: DatabaseAddress;
  rootKey: string | null;
  logLevel: string;
  bodyLimit: number;
  largeBodyLimit: number;
  idempotencyDays: number;
}

/** Where the books are. `shown` is the address as it may be told to people: without a password. */
export type DatabaseAddress =
  | { kind: 'sqlite'; path: string; shown: string }
  | { kind: 'postgres'; url: string; shown: string };

export type Environment = Record<string, string | undefined>;

/** Thrown with one line that names every fault. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIB = 1024 * 1024;

/** `defaults` stand for what the environment does not say. */
export function readConfig(
  environment: Environment = process.env,
  defaults: Environment = {},
): Config {
  const env = { ...defaults, ...environment };
  const faults: string[] = [];
  const rootKey = secret(env, 'ROOT_KEY', faults);
  const bodyLimit = integer(env, 'BODY_LIMIT', MIB, 1024, 64 * MIB, faults);
  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 8080, 0, 65535, faults),
    database: databaseAddress(
      secret(env, 'DATABASE_URL', faults) || 'sqlite:data/realmkeep.db',
      faults,
    ),
    rootKey,
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS, faults),
    bodyLimit,
    largeBodyLimit: Math.max(bodyLimit, 4 * MIB),
    idempotencyDays: integer(env, 'IDEMPOTENCY_DAYS', 30, 30, 3650, faults),
  };
  if (rootKey !== null && !/^[\x21-\x7e]{32,256}$/.test(rootKey)) {
    faults.push('ROOT_KEY must be 32 to 256 visible ASCII characters');
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '));
  return config;
}

/** A secret from NAME, or from the file that NAME_FILE names. */
function secret(env: Environment, name: string, faults: string[]): string | null {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || null;
  if (env[name]) {
    faults.push(`${name} and ${name}_FILE must not both be set`);
    return null;
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    faults.push(`${name}_FILE names a file that cannot be read`);
    return null;
  }
}

function integer(
  env: Environment,
  name: string,
  otherwise: number,
  minimum: number,
  maximum: number,
  faults: string[],
): number {
  const text = env[name];
  if (!text) return otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  faults.push(`${name} must be an integer from ${minimum} to ${maximum}`);
  return otherwise;
}

function oneOf(
  env: Environment,
  name: string,
  otherwise: string,
  allowed: readonly string[],
  faults: string[],
): string {
  const text = env[name];
  if (!text) return otherwise;
  if (allowed.includes(text)) return text;
  faults.push(`${name} must be one of ${allowed.join(', ')}`);
  return otherwise;
}

function databaseAddress(url: string, faults: string[]): DatabaseAddress {
  if (/^postgres(ql)?:/.test(url)) return postgresAddress(url, faults);
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (path === '' || path === ':memory:') {
    faults.push('DATABASE_URL must be sqlite:<path of a file> or postgres://<host>/<database>');
  }
  return sqliteAddress(path);
}

export const sqliteAddress = (path: string): DatabaseAddress => ({
  kind: 'sqlite',
  path,
  shown: path,
});

/** The URL is never shown as it is: there may be a password in it. */
function postgresAddress(url: string, faults: string[]): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const path = parsed?.pathname.slice(1) ?? '';
  const host = parsed?.host || parsed?.searchParams.get('host');
  if (!parsed || !host || path === '' || path.includes('/') || parsed.hash !== '') {
    faults.push(
      'DATABASE_URL must be postgres://<user>:<password>@<host>:<port>/<database>, ' +
        'with special characters of the user and the password as %xx',
    );
  }
  return { kind: 'postgres', url, shown: `postgres://${host ?? ''}/${path}` };
}
