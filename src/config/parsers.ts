import { isIP } from 'node:net';
import { MAX_RATE, type RateLimit } from '../domain/model.ts';

/** The message lists every fault, separated by semicolons. */
export class ConfigError extends Error {}

/** Parses the text of the named setting or option; a fault is thrown as a ConfigError. */
export type Parser<T> = (text: string, name: string) => T;

export function failOn(faults: string[]): void {
  if (faults.length > 0) throw new ConfigError(faults.join('; '));
}

/** `parse` returns undefined for a wrong text; `fault` goes on after the name of the setting. */
export const parser =
  <T>(fault: string, parse: (text: string) => T | undefined): Parser<T> =>
  (text, name) => {
    const value = parse(text);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} ${fault}`);
  };

export const integer = (minimum: number, maximum: number, noun = 'an integer'): Parser<number> =>
  parser(`must be ${noun} from ${minimum} to ${maximum}`, (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  });

export const oneOf = <const T extends string>(...values: readonly T[]): Parser<T> =>
  parser(`must be one of ${values.join(', ')}`, (text) => values.find((value) => value === text));

export const token = (minLength: number): Parser<string> =>
  parser(`must be ${minLength} to 256 visible ASCII characters`, (text) =>
    /^[\x21-\x7e]{0,256}$/.test(text) && text.length >= minLength ? text : undefined,
  );

/** An Ed25519 key as Discord shows it. */
export const hexKey: Parser<string> = parser('must be 64 hexadecimal digits', (text) =>
  /^[0-9a-f]{64}$/i.test(text) ? text : undefined,
);

export const parseKey: Parser<string> = token(32);

/** Without a burst, it is what two seconds allow. Null means that nothing is limited. */
export const rateLimit: Parser<RateLimit | null> = parser(
  `must be off, or <requests per second>:<burst> such as 100:200, each from 1 to ${MAX_RATE}`,
  (text) => {
    if (text === 'off') return null;
    const [, first, second] = /^(\d{1,7})(?::(\d{1,7}))?$/.exec(text) ?? [];
    const perSecond = Number(first);
    const burst = second === undefined ? Math.min(2 * perSecond, MAX_RATE) : Number(second);
    const areValid = [perSecond, burst].every((rate) => rate >= 1 && rate <= MAX_RATE);
    return areValid ? { perSecond, burst } : undefined;
  },
);

/** Origins as browsers send them. */
export const origins: Parser<'*' | readonly string[]> = parser(
  'must be *, or origins separated by commas such as https://acme.example, in lower case, ' +
    'without a path or default port',
  (text) => (text === '*' ? '*' : listOf(text, isOrigin)),
);

const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;

/** Addresses, or networks as `<address>/<bits>`. */
export const networks: Parser<readonly string[]> = parser(
  'must be addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
  (text) => listOf(text, isNetwork),
);

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

function listOf(text: string, isValid: (entry: string) => boolean): string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every(isValid) ? entries : undefined;
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MS = 30 * 86_400_000;

/** A time such as `30m`, `6h` or `1d`, in milliseconds. */
export const interval: Parser<number> = parser(
  'must be a number of minutes, hours or days such as 30m, 6h or 1d, of 30 days at most',
  (text) => {
    const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
    const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
    return ms <= MAX_MS ? ms : undefined;
  },
);

/** Plain enough for a message that is signed: ASCII only, no user, query or fragment. */
export const siteUrl: Parser<string> = parser(
  'must be http:// or https:// with a host, at most 200 characters',
  (text) =>
    /^https?:\/\/[A-Za-z0-9.-]+(:\d{1,5})?(\/[\w.~/-]*)?$/.test(text) && text.length <= 200
      ? text
      : undefined,
);

/**
 * An entry starts after a comma that is followed by a chain name, so that URLs may contain commas;
 * or by another URL, whatever precedes it, which would otherwise be lost in the previous entry.
 */
const NEXT_ENTRY = /,(?=\s*(?:[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}=|[^,/?#]*https?:\/\/))/;

/** RPC nodes. Faults name an entry by its position: its text may contain an API key. */
export function rpcUrls(text: string, name: string): Record<string, string> {
  const urls: Record<string, string> = {};
  const faults: string[] = [];
  const entries = text.trim().replace(/,$/, '');
  if (entries === '') return urls;
  for (const [index, entry] of entries.split(NEXT_ENTRY).entries()) {
    const [, chain, url = ''] = /^(eip155:[1-9]\d{0,14})=(\S+)$/.exec(entry.trim()) ?? [];
    const place = `entry ${index + 1} of ${name}`;
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
  failOn(faults);
  return urls;
}

/** A trailing comma would otherwise become part of the URL. */
const isHttpUrl = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !text.endsWith(',');
