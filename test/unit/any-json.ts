import fc from 'fast-check';
import type { Json } from '../../src/contract/bodies.ts';

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

const sign = fc.constantFrom(...'{}[]",:\\/u01e.+- \n\t');
const noise = fc.oneof(
  fc.uint8Array({ maxLength: 2 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: sign, maxLength: 3 }).map((text) => Buffer.from(text)),
);
const change = fc.tuple(fc.nat(), fc.nat({ max: 2 }), noise);

/** JSON text with up to a few bytes replaced. */
export const damagedJson = (minChanges: number, value: fc.Arbitrary<Json> = anyJson) =>
  fc
    .tuple(value, fc.array(change, { minLength: minChanges, maxLength: 3 }))
    .map(([sent, changes]) => {
      let body = Buffer.from(JSON.stringify(sent));
      for (const [at, length, bytes] of changes) {
        const from = at % (body.length + 1);
        body = Buffer.concat([body.subarray(0, from), bytes, body.subarray(from + length)]);
      }
      return body;
    });
