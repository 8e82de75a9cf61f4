import { isIP } from 'node:net';
import { MAX_RATE, type RateLimit } from '../domain/model.ts';

/** A form that the text of a setting must have. */
export interface Form<T> {
  /** Undefined if the text does not have it. */
  parse: (text: string) => T | undefined;
  /** The rest of a sentence that begins with the setting's name. */
  fault: string;
}

/** Without a burst, it is what two seconds allow. Null means that nothing is limited. */
export const rateLimit: Form<RateLimit | null> = {
  fault:
    'must be off, or <requests per second>:<burst> such as 100:200, ' +
    `each from 1 to ${MAX_RATE}`,
  parse: (text) => {
    if (text === 'off') return null;
    const [, first, second] = /^(\d{1,7})(?::(\d{1,7}))?$/.exec(text) ?? [];
    const perSecond = Number(first);
    const burst = second === undefined ? Math.min(2 * perSecond, MAX_RATE) : Number(second);
    const areValid = [perSecond, burst].every((rate) => rate >= 1 && rate <= MAX_RATE);
    return areValid ? { perSecond, burst } : undefined;
  },
};

/** Origins as browsers send them. */
export const origins: Form<'*' | readonly string[]> = {
  fault:
    'must be *, or origins separated by commas such as https://acme.example, in lower case, ' +
    'without a path or default port',
  parse: (text) => (text === '*' ? '*' : listOf(text, isOrigin)),
};

const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text;

/** Addresses, or networks as `<address>/<bits>`. */
export const networks: Form<readonly string[]> = {
  fault: 'must be addresses or networks separated by commas, such as 127.0.0.1,10.0.0.0/8',
  parse: (text) => listOf(text, isNetwork),
};

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

function listOf(text: string, isValid: (entry: string) => boolean): string[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim());
  return entries.every(isValid) ? entries : undefined;
}
