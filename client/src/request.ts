/** What a call sends: ids to the digit, instants as text, and nothing that is undefined. */
type Values = Readonly<Record<string, unknown>>;

/** The path with its parameters filled in. */
export const pathOf = (template: string, parameters: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = exactText(parameters[name]);
    // A dot segment would be resolved, and the call would reach another path.
    if (/^\.{0,2}$/.test(text)) throw new RangeError(`${name} must not be "${text}"`);
    return encodeURIComponent(text);
  });

export function queryOf(values: Values): string {
  let query = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const text = value instanceof Date ? value.toISOString() : exactText(value);
    query += `${query ? '&' : '?'}${name}=${encodeURIComponent(text)}`;
  }
  return query;
}

export const bodyOf = (values: Values): string =>
  JSON.stringify(values, (_, value) => exact(value));

export const exactText = (value: unknown): string => String(exact(value));

/** Types keep numbers from being ids, but plain JavaScript has no types. */
function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${value} exceeds 2^53 and has lost digits: use a string or a bigint`);
  }
  return value;
}

/** 128 random bits. Unlike `crypto.randomUUID`, this works on pages that came over plain HTTP. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
