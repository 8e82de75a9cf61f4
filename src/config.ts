import { readFileSync } from 'node:fs';

/** The only file that reads the environment. */
export interface Config {
  host: string;
  port: number;
  database: DatabaseAddress;
  rootKey: string | null;
  /** Grants access to the metrics, as the root key does. */
  metricsToken: string | null;
  logLevel: string;
  bodyLimit: number;
  largeBodyLimit: number;
  idempotencyDays: number;
  /** Quoted in the messages that wallets sign. If null, it is localhost and the actual port. */
  publicUrl: string | null;
  /** RPC nodes by CAIP-2 chain name. Their URLs are secrets: many contain an API key. */
  rpcUrls: Record<string, string>;
}

export type DatabaseAddress = DisplayName &
  ({ kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string });

interface DisplayName {
  /** The address as it may be shown: without a password. */
  shown: string;
  /** The setting or option that it came from, to be named in errors. */
  name: string;
}

export type Environment = Record<string, string | undefined>;

/** The message lists every fault, separated by semicolons. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIB = 1024 * 1024;

interface Setting {
  help: string;
  default?: string;
  /** A secret can also be read from the file that NAME_FILE names. */
  isSecret?: true;
}

/** Every setting. No other variable can be read, so that the help cannot miss one. */
export const settings = {
  HOST: { help: 'Address to listen on.', default: '127.0.0.1' },
  PORT: { help: 'Port to listen on; 0 picks a free one.', default: '8080' },
  DATABASE_URL: {
    help: 'sqlite:<path> or postgres://<host>/<name>.',
    default: 'sqlite:data/realmkeep.db',
    isSecret: true,
  },
  ROOT_KEY: { help: 'Root key. By default the first start generates one.', isSecret: true },
  METRICS_TOKEN: { help: 'Token that grants access to /metrics only.', isSecret: true },
  PUBLIC_URL: { help: 'Public URL of the service, shown in the messages that wallets sign.' },
  RPC_URLS: { help: 'RPC nodes of EVM chains: eip155:<chain id>=<URL>,…', isSecret: true },
  LOG_LEVEL: { help: `One of ${LOG_LEVELS.join(', ')}.`, default: 'info' },
  BODY_LIMIT: { help: 'Largest request body in bytes.', default: String(MIB) },
  IDEMPOTENCY_DAYS: { help: 'How long idempotency keys are stored, in days.', default: '30' },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;
type SecretName = {
  [Name in SettingName]: (typeof settings)[Name] extends { isSecret: true } ? Name : never;
}[SettingName];

type TextOf<Name extends SettingName> = (typeof settings)[Name] extends { default: string }
  ? string
  : string | null;

/** `defaults` apply to settings that the environment lacks. */
export function readConfig(
  environment: Environment = process.env,
  defaults: Environment = {},
): Config {
  const faults: string[] = [];
  const read = new SettingsReader({ ...defaults, ...environment }, faults);
  const bodyLimit = read.integer('BODY_LIMIT', 1024, 64 * MIB);
  const rpcUrls = read.secret('RPC_URLS');
  const config: Config = {
    host: read.text('HOST'),
    port: read.integer('PORT', 0, 65535),
    database: databaseAddress(read.secret('DATABASE_URL') || settings.DATABASE_URL.default, faults),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    bodyLimit,
    largeBodyLimit: Math.max(bodyLimit, 4 * MIB),
    idempotencyDays: read.integer('IDEMPOTENCY_DAYS', 30, 3650),
    publicUrl: read.text('PUBLIC_URL'),
    rpcUrls: rpcUrls === null ? {} : chainUrls(rpcUrls, faults),
    rootKey: read.token('ROOT_KEY', 32),
    metricsToken: read.token('METRICS_TOKEN', 8),
  };
  if (config.publicUrl !== null && !isSite(config.publicUrl)) {
    faults.push('PUBLIC_URL must be http:// or https:// with a host, at most 200 characters');
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '));
  return config;
}

class SettingsReader {
  readonly #env: Environment;
  readonly #faults: string[];

  constructor(env: Environment, faults: string[]) {
    this.#env = env;
    this.#faults = faults;
  }

  /** An empty variable counts as unset. */
  text<Name extends SettingName>(name: Name): TextOf<Name> {
    const setting: Setting = settings[name];
    return (this.#env[name] || (setting.default ?? null)) as TextOf<Name>;
  }

  oneOf(name: SettingName, allowed: readonly string[]): string {
    const text = this.text(name) ?? '';
    if (!allowed.includes(text)) this.#faults.push(`${name} must be one of ${allowed.join(', ')}`);
    return text;
  }

  secret(name: SecretName): string | null {
    const file = this.#env[`${name}_FILE`];
    if (!file) return this.text(name);
    if (this.#env[name]) {
      this.#faults.push(`${name} and ${name}_FILE must not both be set`);
      return null;
    }
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      this.#faults.push(`${name}_FILE names a file that cannot be read`);
      return null;
    }
  }

  token(name: SecretName, minLength: number): string | null {
    const token = this.secret(name);
    if (token === null || (/^[\x21-\x7e]{0,256}$/.test(token) && token.length >= minLength)) {
      return token;
    }
    this.#faults.push(`${name} must be ${minLength} to 256 visible ASCII characters`);
    return null;
  }

  integer(name: SettingName, minimum: number, maximum: number): number {
    const text = this.text(name) ?? '';
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    this.#faults.push(`${name} must be an integer from ${minimum} to ${maximum}`);
    return minimum;
  }
}

/** Whether other machines can reach the service, but the messages that they sign do not name it. */
export function lacksPublicUrl({ publicUrl, host }: Config): boolean {
  return publicUrl === null && !/^(localhost|127(\.\d+){3}|::1)$/.test(host);
}

/** Plain enough for a message that is signed: ASCII only, no user, query or fragment. */
function isSite(url: string): boolean {
  return url.length <= 200 && /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(\/[\w.~/-]*)?$/.test(url);
}

/**
 * An entry starts after a comma that is followed by a chain name, so that URLs may contain commas;
 * or by another URL, whatever precedes it, which would otherwise be lost in the previous entry.
 */
const NEXT_ENTRY = /,(?=\s*(?:[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}=|[^,/?#]*https?:\/\/))/;

/** Faults name an entry by its position, never by its text, which may contain an API key. */
function chainUrls(text: string, faults: string[]): Record<string, string> {
  const urls: Record<string, string> = {};
  const entries = text.trim().replace(/,$/, '');
  if (entries === '') return urls;
  for (const [index, entry] of entries.split(NEXT_ENTRY).entries()) {
    const [, chain, url = ''] = /^(eip155:[1-9]\d{0,14})=(\S+)$/.exec(entry.trim()) ?? [];
    const place = `entry ${index + 1} of RPC_URLS`;
    if (chain === undefined) {
      faults.push(`${place} must be eip155:<chain id>=<URL>, such as eip155:1=https://…`);
    } else if (urls[chain] !== undefined) {
      faults.push(`${place} names ${chain} again`);
    } else if (!isHttpUrl(url)) {
      faults.push(`${place} must have one http or https URL for ${chain}`);
    } else {
      urls[chain] = url;
    }
  }
  return urls;
}

/** A trailing comma would otherwise become part of the URL. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && !text.endsWith(',');
}

const FORMS = {
  sqlite: 'sqlite:<path>',
  postgres: 'postgres://<host>/<database>',
};

/** `name` is the setting or option that holds the address. */
export function databaseAddress(
  url: string,
  faults: string[],
  name = 'DATABASE_URL',
  kinds: readonly DatabaseAddress['kind'][] = ['sqlite', 'postgres'],
): DatabaseAddress {
  const isPostgres = /^postgres(ql)?:/.test(url);
  if (isPostgres && kinds.includes('postgres')) return postgresAddress(url, faults, name);
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : '';
  if (path === '' || path === ':memory:' || !kinds.includes('sqlite')) {
    faults.push(`${name} must be ${kinds.map((kind) => FORMS[kind]).join(' or ')}`);
  }
  return sqliteAddress(path, name);
}

export const sqliteAddress = (path: string, name = 'DATABASE_URL'): DatabaseAddress => ({
  kind: 'sqlite',
  path,
  shown: path,
  name,
});

const TLS_PARAMETERS = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation'];

/** The URL itself is never shown, since it may contain a password. */
function postgresAddress(url: string, faults: string[], name: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const path = parsed?.pathname.slice(1) ?? '';
  const host = parsed?.host || parsed?.searchParams.get('host');
  if (!parsed || !host || path === '' || path.includes('/') || parsed.hash !== '') {
    faults.push(
      `${name} must be postgres://<user>:<password>@<host>:<port>/<database>, ` +
        'with special characters in the user and the password as %xx',
    );
  }
  // Unknown parameters are ignored, since libpq has more than we know of; but a mistyped TLS
  // parameter would silently leave the connection unencrypted.
  for (const parameter of parsed?.searchParams.keys() ?? []) {
    if (!/ssl|tls|slmode/i.test(parameter) || TLS_PARAMETERS.includes(parameter)) continue;
    const known = TLS_PARAMETERS.join(', ');
    faults.push(`${name} has an unknown parameter ${parameter}; the TLS parameters are ${known}`);
  }
  return { kind: 'postgres', url, shown: `postgres://${host ?? ''}/${path}`, name };
}
