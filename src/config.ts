import { readFileSync } from 'node:fs';

/** The only place that reads the environment. */
export interface Config {
  host: string;
  port: number;
  database: DatabaseAddress;
  rootKey: string | null;
  /** Opens the metrics beside the root key. */
  metricsToken: string | null;
  logLevel: string;
  bodyLimit: number;
  largeBodyLimit: number;
  idempotencyDays: number;
  /**
   * Where people reach the service: what a wallet shows to who signs for it. Null where nobody said
   * so; then it is taken for this machine, at the port that is listened on.
   */
  publicUrl: string | null;
  /** The nodes of chains, by CAIP-2 name. Their URLs are secrets: many hold an API key. */
  rpcUrls: Record<string, string>;
}

/** Where the books are. */
export type DatabaseAddress = DisplayName &
  ({ kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string });

interface DisplayName {
  /** The address as it may be told to people: without a password. */
  shown: string;
  /** The setting or option that it came from, for whoever mistyped it. */
  name: string;
}

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
  const metricsToken = secret(env, 'METRICS_TOKEN', faults);
  const rpcUrls = secret(env, 'RPC_URLS', faults);
  const bodyLimit = integer(env, 'BODY_LIMIT', MIB, 1024, 64 * MIB, faults);
  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 8080, 0, 65535, faults),
    database: databaseAddress(
      secret(env, 'DATABASE_URL', faults) || 'sqlite:data/realmkeep.db',
      faults,
    ),
    rootKey,
    metricsToken,
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS, faults),
    bodyLimit,
    largeBodyLimit: Math.max(bodyLimit, 4 * MIB),
    idempotencyDays: integer(env, 'IDEMPOTENCY_DAYS', 30, 30, 3650, faults),
    publicUrl: env.PUBLIC_URL || null,
    rpcUrls: rpcUrls === null ? {} : chainUrls(rpcUrls, faults),
  };
  if (rootKey !== null && !/^[\x21-\x7e]{32,256}$/.test(rootKey)) {
    faults.push('ROOT_KEY must be 32 to 256 visible ASCII characters');
  }
  if (metricsToken !== null && !/^[\x21-\x7e]{8,256}$/.test(metricsToken)) {
    faults.push('METRICS_TOKEN must be 8 to 256 visible ASCII characters');
  }
  if (config.publicUrl !== null && !isSite(config.publicUrl)) {
    faults.push('PUBLIC_URL must be http:// or https:// with a host, at most 200 characters');
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '));
  return config;
}

/** Whether others may reach the service and no text that they sign will name it. */
export function lacksPublicUrl({ publicUrl, host }: Config): boolean {
  return publicUrl === null && !/^(localhost|127(\.\d+){3}|::1)$/.test(host);
}

/** Plain enough to stand in a text that is signed: no user, query or fragment, ASCII alone. */
function isSite(url: string): boolean {
  return url.length <= 200 && /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(\/[\w.~/-]*)?$/.test(url);
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

/**
 * An entry begins where a comma is followed by a chain's name, so a URL may have commas itself; or
 * by another URL, whatever stands before that: taken for a part of the first, it would be lost.
 */
const NEXT_ENTRY = /,(?=\s*(?:[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}=|[^,/?#]*https?:\/\/))/;

/** Faults name the entry by its place and never tell its text, which may hold an API key. */
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

/** A comma too many would be taken for a part of the URL. */
function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && !text.endsWith(',');
}

const FORMS = {
  sqlite: 'sqlite:<path of a file>',
  postgres: 'postgres://<host>/<database>',
};

/** `name` is what the address came from, `kinds` what it may lead to. */
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

/** The URL is never shown as it is: there may be a password in it. */
function postgresAddress(url: string, faults: string[], name: string): DatabaseAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const path = parsed?.pathname.slice(1) ?? '';
  const host = parsed?.host || parsed?.searchParams.get('host');
  if (!parsed || !host || path === '' || path.includes('/') || parsed.hash !== '') {
    faults.push(
      `${name} must be postgres://<user>:<password>@<host>:<port>/<database>, ` +
        'with special characters of the user and the password as %xx',
    );
  }
  // Other unknown parameters are ignored, since libpq has more of them than we know; but a mistyped
  // one of these would leave the connection open to whoever listens.
  for (const parameter of parsed?.searchParams.keys() ?? []) {
    if (!/ssl|tls|slmode/i.test(parameter) || TLS_PARAMETERS.includes(parameter)) continue;
    const known = TLS_PARAMETERS.join(', ');
    faults.push(`${name} has an unknown parameter ${parameter}; there are ${known}`);
  }
  return { kind: 'postgres', url, shown: `postgres://${host ?? ''}/${path}`, name };
}
