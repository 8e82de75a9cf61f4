import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Json, readJson } from '../../src/contract/bodies.ts';
import { canonicalJson } from '../../src/http/calls.ts';
import { anyJson } from './any-json.ts';

const read = (text: string) => readJson(Buffer.from(text));

/** JSON text with keys in any order, any white space and any number format. */
function spelled(value: Json, choose: fc.GeneratorValue): string {
  const space = () => choose(fc.constantFrom, '', '', ' ', '\n', '\t\r ');
  const list = (entries: string[]) => entries.map((entry) => space() + entry + space()).join(',');
  if (Array.isArray(value)) return `[${list(value.map((entry) => spelled(entry, choose)))}]`;
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return choose(fc.constantFrom, `${value}`, `${value}.0`, `${value}e0`, `${value}.00E+0`);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value);
  const shuffled = choose(fc.shuffledSubarray<string>, keys, { minLength: keys.length });
  const member = (key: string) =>
    `${JSON.stringify(key)}${space()}:${spelled(value[key] as Json, choose)}`;
  return `{${space()}${list(shuffled.map(member))}}`;
}

test('canonical JSON ignores key order, white space and number format', () => {
  fc.assert(
    fc.property(anyJson, fc.gen(), (value, choose) => {
      assert.equal(canonicalJson(read(spelled(value, choose))), canonicalJson(value));
    }),
  );
});

test('canonical JSON can be parsed, so equal text means equal values', () => {
  fc.assert(fc.property(anyJson, (value) => assert.deepEqual(read(canonicalJson(value)), value)));
  assert.equal(canonicalJson(read('[9007199254740993,-1e-7,""]')), '[9007199254740993,-1e-7,""]');
});

test('canonical JSON distinguishes similar values, and only if they differ', () => {
  const alike: Json[] = [1, 1n, '1', 10n ** 21n, 1e21, 2 ** 69, true, null, '', '0', 0, -0, [1]];
  alike.push(BigInt(String(2 ** 69)), BigInt(2 ** 69), 0.5, '0.5');
  alike.push([], {}, [[]], [{}], [1, 1], '[]', { a: 1 }, { '"a': 1 });
  const exact = (value: Json) => (Number.isInteger(value) ? BigInt(value as number) : value);
  for (const one of alike) {
    for (const other of alike) {
      const equal = isDeepStrictEqual(exact(one), exact(other));
      assert.equal(canonicalJson(one) === canonicalJson(other), equal, `${one} ${other}`);
    }
  }
});

test('canonical JSON sorts keys by code unit, few or many, index-like or not', () => {
  const text = canonicalJson(read('{"b":1,"9":1,"10":1,"B":1,"é":1,"\uffee":1,"😀":1,"":1}'));
  assert.equal(text, '{"":1,"10":1,"9":1,"B":1,"b":1,"é":1,"😀":1,"\uffee":1}');
  const keys = Array.from({ length: 40 }, (_, index) => `k${(index * 7) % 40}`);
  const many = canonicalJson(Object.fromEntries(keys.map((key) => [key, 1])));
  assert.equal(many, `{${keys.sort().map((key) => `"${key}":1`)}}`);
});
