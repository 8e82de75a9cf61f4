import type { OperationId } from './generated.ts';

/** A call, the same in every attempt: hence one idempotency key, and at most one effect. */
export interface Call {
  operation: OperationId;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  idempotencyKey?: string;
}

/** What a call sends: ids to the digit, instants as text, and nothing that is undefined. */
type Values = Readonly<Record<string, unknown>>;

/** The path with its parameters filled in. */
export const pathOf = (template: string, parameters: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = exactText(parameters[name], name);
    // A dot segment would be resolved, and the call would reach another path.
    if (/^\.{0,2}$/.test(text)) throw new RangeError(`${name} must not be "${text}"`);
    return encodeURIComponent(text);
  });

export function queryOf(values: Values): string {
  let query = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const text = value instanceof Date ? value.toISOString() : exactText(value, name);
    query += `${query ? '&' : '?'}${name}=${encodeURIComponent(text)}`;
  }
  return query;
}

/** JSON would have null for a number or a date that is none, and null has a meaning. */
export const bodyOf = (values: Values): string =>
  JSON.stringify(values, function (this: Values, name, value) {
    const given = this[name];
    if (given instanceof Date && value === null) throw new RangeError(`${name} is an invalid Date`);
    return exact(value, name);
  });

/** A list is separated by commas. */
export const exactText = (value: unknown, name: string): string =>
  Array.isArray(value)
    ? value.map((each) => exactText(each, name)).join()
    : String(exact(value, name));

/** Types keep numbers from being ids, but plain JavaScript has no types. */
function exact(value: unknown, name: string): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) throw new RangeError(`${name} must be a number, not ${value}`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} exceeds 2^53 and has lost digits: use a string or a bigint`);
  }
  return value;
}

/** What the service accepts. Other characters make `fetch` fail like a broken connection. */
export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

/** The key of a call: the given one, or a new one. */
export function idempotencyKeyOf(given: string | undefined): string {
  if (given === undefined) return newIdempotencyKey();
  if (typeof given === 'string' && isIdempotencyKey(given)) return given;
  throw new RangeError('idempotencyKey must be a string of 1 to 255 visible ASCII characters');
}

export function personOf(onBehalfOf: unknown): string {
  if (typeof onBehalfOf === 'string' && /^[\x21-\x7e]{1,128}$/.test(onBehalfOf)) return onBehalfOf;
  throw new RangeError('onBehalfOf must be a string of 1 to 128 visible ASCII characters');
}

/** 128 random bits. Unlike `crypto.randomUUID`, this works on pages that came over plain HTTP. */
const newIdempotencyKey = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
