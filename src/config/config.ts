import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { NO_ENV_FILE, readEnvFile } from './env-file.ts';
import {
  ConfigError,
  failOn,
  hexKey,
  integer,
  interval,
  networks,
  oneOf,
  origins,
  parseKey,
  rateLimit,
  rpcUrls,
  siteUrl,
  token,
} from './parsers.ts';
import {
  LOG_LEVELS,
  type Read,
  type Setting,
  type SettingName,
  settings,
  type Unset,
} from './settings.ts';
import { readTelemetry } from './telemetry-settings.ts';

interface Address {
  /** The address as it may be shown: without a password. */
  shown: string;
  /** The setting or option that it came from, to be named in errors. */
  name: string;
}

export type SqliteAddress = Address & { kind: 'sqlite'; path: string };
export type PostgresAddress = Address & { kind: 'postgres'; url: string };
export type DatabaseAddress = SqliteAddress | PostgresAddress;

type Environment = Record<string, string | undefined>;

const MIB = 1024 * 1024;
export const MAX_KEPT = 10_000;

const SQLITE_ONLY =
  'BACKUP_DIR must not be set with a PostgreSQL database; docs/backup.md says how to back that up';

/** What is set, or the default; null if there is neither. */
const readSettings = (read: Read) => ({
  host: read('HOST', String),
  port: read('PORT', integer(0, 65535)),
  database: read('DATABASE_URL', databaseAddress),
  logLevel: read('LOG_LEVEL', oneOf(...LOG_LEVELS)),
  /** Null: text on a terminal, otherwise JSON. */
  logFormat: read('LOG_FORMAT', oneOf('json', 'text')),
  accessLog: read('ACCESS_LOG', oneOf('on', 'off')) === 'on',
  bodyLimit: read('BODY_LIMIT', integer(1024, 8 * MIB)),
  idempotencyDays: read('IDEMPOTENCY_DAYS', integer(30, 3650)),
  /** Of each key, unless its realm has its own; null if nothing is limited. */
  rateLimit: read('RATE_LIMIT', rateLimit),
  /** The origins whose pages may call the service; `*` for any, null for none. */
  corsOrigins: read('CORS_ORIGINS', origins),
  trustedProxies: read('TRUSTED_PROXIES', networks) ?? [],
  /** Where people reach the service; if null, `publicUrl` says where. */
  publicUrl: read('PUBLIC_URL', siteUrl),
  /** Whether the console is served; `https`: only over https, whatever proxies say. */
  console: read('CONSOLE', oneOf('on', 'off', 'https')),
  /** RPC nodes by CAIP-2 chain name. Their URLs are secrets: many contain an API key. */
  rpcUrls: read('RPC_URLS', rpcUrls) ?? {},
  /** If null, the first start puts one into the file at rootKeyPath, and later ones find it. */
  rootKey: read('ROOT_KEY', parseKey),
  /** Seals the secrets that are stored; if null, there is a file as for the root key. */
  secretKey: read('SECRET_KEY', parseKey),
  webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', oneOf('true', 'false')) === 'true',
  metricsToken: read('METRICS_TOKEN', token(8)),
  discord: {
    /** Null if the service is no bot. */
    token: read('DISCORD_TOKEN', token(8)),
    /** If set, interactions come over HTTP. */
    publicKey: read('DISCORD_PUBLIC_KEY', hexKey),
    apiUrl: read('DISCORD_API_URL', siteUrl),
    cdnUrl: read('DISCORD_CDN_URL', siteUrl),
    /** What the command `discord` works with. */
    serviceUrl: read('REALMKEEP_URL', siteUrl),
    serviceKey: read('REALMKEEP_KEY', token(8)),
  },
  backups: {
    folder: read('BACKUP_DIR', String),
    everyMs: read('BACKUP_EVERY', interval),
    keep: read('BACKUP_KEEP', integer(1, MAX_KEPT)),
  },
});

export type Config = ReturnType<typeof readConfig>;

/** The only reader of the environment. `defaults` apply to settings that it lacks. */
export function readConfig(environment?: Environment, defaults: Environment = {}) {
  const file = environment ? NO_ENV_FILE : readEnvFile(process.env, Object.keys(settings));
  const env = { ...defaults, ...file.values, ...(environment ?? process.env) };
  const isInFile = (name: SettingName) => [name, `${name}_FILE`].some((one) => one in file.values);
  const faults: string[] = [];
  const read: Read = (name, parse) => {
    try {
      const text = textOf(name, env);
      return text === null ? (null as Unset<typeof name>) : parse(text, name);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // The value does not matter: all faults are thrown together at the end.
      faults.push(error.message);
      return null as Unset<typeof name>;
    }
  };
  const config = readSettings(read);
  const telemetry = readTelemetry(read);
  if (config.backups.folder && config.database?.kind === 'postgres') faults.push(SQLITE_ONLY);
  failOn(faults);
  const rootKeyName = env.ROOT_KEY_FILE ? 'ROOT_KEY_FILE' : 'ROOT_KEY';
  return {
    ...config,
    ...keyPaths(config.database),
    /** The setting that the root key comes from, if it is set, and whether .env sets it. */
    rootKeySetting: isInFile('ROOT_KEY') ? `${rootKeyName} in .env` : rootKeyName,
    /** Whether other commands find the database without being given the same DATABASE_URL. */
    isDatabaseFound: isInFile('DATABASE_URL') || !(env.DATABASE_URL || env.DATABASE_URL_FILE),
    /** What is sent to an OpenTelemetry collector; null if nothing is. */
    telemetry: telemetry.settings,
    /** What is probably a mistake, though no fault. */
    warnings: [...file.warnings, ...telemetry.warnings],
  };
}

/** An empty variable counts as unset; an empty file does not, unless there is a default. */
function textOf(name: SettingName, env: Environment): string | null {
  const setting: Setting = settings[name];
  const byDefault = setting.default ?? null;
  const file = setting.isSecret && env[`${name}_FILE`];
  if (!file) return env[name] || byDefault;
  if (env[name]) throw new ConfigError(`${name} and ${name}_FILE must not both be set`);
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? (byDefault ?? text) : text;
  } catch {
    throw new ConfigError(`${name}_FILE names a file that cannot be read`);
  }
}

/** Beside a SQLite file; on PostgreSQL, where the default SQLite file would be. */
export function keyPaths(database: DatabaseAddress) {
  const folder = database.kind === 'sqlite' ? dirname(database.path) : 'data';
  return { rootKeyPath: join(folder, 'root.key'), secretKeyPath: join(folder, 'secret.key') };
}

/** Where the service is reached; on every address, at one that works from elsewhere, too. */
export function serviceUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isOnAll = host === '0.0.0.0' || host === '::';
  return ownUrl({ host: isOnAll ? (outerAddress() ?? host) : host }, port);
}

/** Where the service reaches itself. */
export const ownUrl = ({ host }: Pick<Config, 'host'>, port: number): string => {
  const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
};

/** Under which other machines know this one. A socket for all of IPv6 is one for IPv4, too. */
const outerAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined;

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/.test(host);

/** Passkeys belong to a name, so on this machine it is `localhost`. */
export function publicUrl({ publicUrl, host }: Config, port: number): string {
  if (publicUrl !== null) return publicUrl;
  return isLoopback(host) ? `http://localhost:${port}` : serviceUrl({ host, port });
}

export const pageUrl = (config: Config, port: number, path: string): string =>
  new URL(publicUrl(config, port)).origin + path;

/** Whether other machines can reach the service, but nothing that names it says where. */
export const lacksPublicUrl = ({ publicUrl, host }: Config): boolean =>
  publicUrl === null && !isLoopback(host);

/** Whether browsers refuse passkeys there. */
export function refusesPasskeys(config: Config): boolean {
  const { protocol, hostname } = new URL(publicUrl(config, config.port));
  const isName = hostname === 'localhost' || (protocol === 'https:' && !/^[\d.]+$/.test(hostname));
  return !isName;
}

const SQLITE_FORM = 'sqlite:<path>';
const POSTGRES_FORM = 'postgres://<host>/<database>';
const isPostgres = (url: string): boolean => /^postgres(ql)?:/.test(url);

function databaseAddress(url: string, name: string): DatabaseAddress {
  if (isPostgres(url)) return postgresUrl(url, name);
  return sqliteUrl(url, name, `${SQLITE_FORM} or ${POSTGRES_FORM}`);
}

export function sqliteUrl(url: string, name: string, form = SQLITE_FORM): SqliteAddress {
  const path = /^sqlite:(.*)$/s.exec(url)?.[1] ?? '';
  if (path !== '' && path !== ':memory:') return { kind: 'sqlite', path, shown: path, name };
  throw new ConfigError(`${name} must be ${form}`);
}

const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'];

/** The URL itself is never shown, since it may contain a password. */
export function postgresUrl(url: string, name: string): PostgresAddress {
  if (!isPostgres(url)) throw new ConfigError(`${name} must be ${POSTGRES_FORM}`);
  const parsed = URL.parse(url);
  const path = parsed?.pathname.slice(1) ?? '';
  const host = parsed?.host || parsed?.searchParams.get('host');
  if (!parsed || !host || path === '' || path.includes('/') || parsed.hash !== '') {
    throw new ConfigError(
      `${name} must be postgres://<user>:<password>@<host>:<port>/<database>, ` +
        'with special characters in the user and the password as %xx',
    );
  }
  // Unknown parameters are ignored, since libpq has more than we know of; but a mistyped TLS
  // parameter would silently leave the connection unencrypted.
  const mistyped = [...parsed.searchParams.keys()].filter(
    (parameter) => /ssl|tls|slmode/i.test(parameter) && !TLS_PARAMETERS.includes(parameter),
  );
  const known = `the TLS parameters are ${TLS_PARAMETERS.join(', ')}`;
  failOn(mistyped.map((parameter) => `${name} has an unknown parameter ${parameter}; ${known}`));
  return { kind: 'postgres', url, shown: `postgres://${host}/${path}`, name };
}
