import fc from 'fast-check';
import type { Json } from '../../src/contract/json.ts';

/** The value with everything replaced that readJson refuses or does not give back as it is. */
function tame(value: unknown): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '0').toWellFormed();
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? 42 : value + 0;
  }
  if (Array.isArray(value)) return value.map(tame);
  if (typeof value !== 'object' || value === null) return value as Json;
  const members = Object.entries(value).map(([key, member]) => [tame(key), tame(member)]);
  return Object.fromEntries(members.filter(([key]) => key !== '__proto__'));
}

export const anyJson = fc.oneof(
  fc.jsonValue({ stringUnit: 'grapheme' }).map(tame),
  fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }).map(tame),
);
