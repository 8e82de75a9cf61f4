import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Json, readJson } from '../../src/contract/json.ts';
import { JsonError } from '../../src/contract/json-scanner.ts';
import { canonicalJson } from '../../src/http/calls.ts';
import { anyJson, damagedJson } from './any-json.ts';

const read = (text: string) => readJson(Buffer.from(text));

function faultOf(body: string | Uint8Array): JsonError {
  try {
    readJson(Buffer.from(body as string));
  } catch (error) {
    assert(error instanceof JsonError, `not a JsonError: ${error}`);
    assert(error.message.length < 150);
    return error;
  }
  return assert.fail(`was read: ${String(body).slice(0, 60)}`);
}

function assertRefused(text: string, at: string, expected: RegExp): void {
  const { kind, pointer, message } = faultOf(text);
  assert.deepEqual([kind, pointer], ['refused', at], text.slice(0, 60));
  assert.match(message, expected);
}

function assertMalformed(body: string | Uint8Array, expected: RegExp): void {
  const { kind, pointer, message } = faultOf(body);
  assert.deepEqual([kind, pointer], ['malformed', ''], String(body));
  assert.match(message, expected);
}

function assertLikeParse(body: Buffer): void {
  let parsed: string | undefined;
  try {
    // By way of text, since JSON.parse gives -0 and readJson does not.
    if (isUtf8(body)) parsed = JSON.stringify(JSON.parse(body.toString()));
  } catch {}
  try {
    const text = canonicalJson(readJson(body));
    assert(parsed !== undefined, `was read: ${body}`);
    assert.deepEqual(JSON.parse(text), JSON.parse(parsed));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    assert(!parsed || error.kind === 'refused', `${error.message} ${body}`);
  }
}

test('reads whatever JSON.stringify writes', () => {
  const check = (value: Json) => assert.deepEqual(read(JSON.stringify(value, null, 1)), value);
  fc.assert(fc.property(anyJson, check));
});

test('accepts and rejects what JSON.parse does, apart from the documented refusals', () => {
  fc.assert(fc.property(damagedJson(1), assertLikeParse), { numRuns: 3000 });
});

test('accepts and rejects any short run of JSON characters as JSON.parse does', () => {
  const sign = fc.constantFrom(...'{}[]",:\\u0159eE.+- \n\f', 'true', 'null', '"a"', '\u00a0');
  const body = fc.string({ unit: sign, maxLength: 8 }).map((text) => Buffer.from(text));
  fc.assert(fc.property(body, assertLikeParse), { numRuns: 3000 });
});

test('every character is read alike wherever it stands in a long string', () => {
  for (const character of ['\n', '\u0001', '\\', '\\n', '"', 'é', ' ']) {
    for (let length = 250; length < 262; length++) {
      const string = `"${'x'.repeat(length)}${character}`;
      for (const end of ['', '"', 'x"', ' "', '\n"', `${'x'.repeat(300)}\n"`]) {
        assertLikeParse(Buffer.from(`[${string}${end}]`));
        assertLikeParse(Buffer.from(`{${string}${end}:1}`));
      }
    }
  }
});

test('reads a part of a larger buffer', () => {
  const bytes = Buffer.from('xx{"a":"é"}xx');
  assert.deepEqual(readJson(bytes.subarray(2, -2)), { a: 'é' });
});

test('creates ordinary objects, even with inherited names', () => {
  const value = read('{"constructor":1,"toString":2,"hasOwnProperty":{},"1":3,"":4}');
  assert.deepEqual(value, { constructor: 1, toString: 2, hasOwnProperty: {}, '1': 3, '': 4 });
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

const digits100 = '9'.repeat(100);
/** A number that begins with two characters more is as long as any may be. */
const zeros = '0'.repeat(998);

test('reads numbers exactly, however they are written', () => {
  const table: [number | bigint, string][] = [
    [0, '0 -0 -0.0 0e999999999999 0.000e-400 -0E+5'],
    [5, `5 5.0 5e0 50e-1 0.5E+1 5.${zeros}`],
    [15, '1.5e1 1500E-2'],
    [1000, '1e3 1000 1000.000'],
    [-1250, '-12.50e+2'],
    [1, `1 0.${zeros.slice(6)}1e993`],
    [0.1, '0.1 0.10000000000000000000000001'],
    [1e20, '1e20 1E+20 100000000000000000000.0'],
    [9007199254740991, '9007199254740991'],
    [-9007199254740991, '-9007199254740991'],
    [9007199254740992n, '9007199254740992'],
    [9007199254740993n, '9007199254740993'],
    [-9007199254740993n, '-9007199254740993'],
    [BigInt(digits100), digits100],
  ];
  for (const [value, spellings] of table) {
    for (const text of spellings.split(' ')) {
      // Strict equality here tells 0 from -0.
      assert.strictEqual(read(text), value, text.slice(0, 40));
      assert.deepEqual(read(`{"a":[${text} ]}`), { a: [value] });
    }
  }
});

test('refuses numbers that cannot be read exactly', () => {
  const inexact = '1e400 -1e400 1e-400 -1e-400 5.00000000000000000001 0.99999999999999999999';
  const more = `1e-99999999999 9007199254740993.5 123456789012345678901e-1 9${digits100}`;
  const huge = `${'9'.repeat(1_000)} 1e9${zeros.slice(1)} 5.${zeros.slice(1)}1`;
  for (const text of `${inexact} ${more} ${huge}`.split(' ')) {
    assertRefused(text, '', /cannot be read exactly/);
    assertRefused(`[1,{"a":${text}}]`, '/1/a', /cannot be read exactly/);
  }
});

test('refuses numbers and keys that are too long to be meant', () => {
  const digits = '0'.repeat(4_000_000);
  for (const text of [`5.0${zeros}`, `5.${digits}`, `1${digits}e-4000000`, `1e${digits}`, digits]) {
    assertRefused(`[1,{"a":${text}}]`, '/1/a', /has over 1000 characters/);
  }
  const key = 'k'.repeat(65_536);
  assert.deepEqual(Object.keys(read(`{"${key}":1}`) as object), [key]);
  assertRefused(`{"a":{"${key}k":1}}`, '/a', /key at character 7 has over 65536 characters/);
});

test('reads every integer of at most 100 digits exactly', () => {
  const limit = 10n ** 100n - 1n;
  fc.assert(
    fc.property(fc.bigInt({ min: -limit, max: limit }), fc.nat({ max: 330 }), (huge, shift) => {
      const integer = huge / (1n << BigInt(shift));
      const value = read(`${integer}`);
      assert.equal(typeof value, Number.isSafeInteger(Number(integer)) ? 'number' : 'bigint');
      assert.equal(BigInt(value as number | bigint), integer);
    }),
  );
});

test('reads back every finite double', () => {
  const double = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(fc.property(double, (value) => assert.equal(Number(read(`${value}`)), value + 0)));
});

test('rejects malformed numbers', () => {
  const lookalikes = '01 -01 00 - -- +1 .5 1. 1.e5 1e 1e+ 1-2 0x10 1_0 1n NaN Infinity -Infinity ٣';
  for (const text of lookalikes.split(' ')) assertMalformed(text, /at character/);
});

test('refuses duplicate keys and names them', () => {
  assertRefused('{"a":1,"b":2,"a":3}', '/a', /The key "a" appears twice/);
  assertRefused('[0,{"x":{"a":1,"\\u0061":null}}]', '/1/x/a', /"a"/);
  assertRefused('{"toString":1,"toString":1}', '/toString', /"toString"/);
  assertRefused('{"a/b~c":1,"a/b~c":1}', '/a~1b~0c', /"a\/b~c"/);
  assertRefused('{"":1,"":1}', '/', /""/);
  const many = Array.from({ length: 100 }, (_, index) => `"k${index}":1`).join();
  assertRefused(`{${many},"k7":1}`, '/k7', /"k7"/);
  // A huge key stays out of the detail and the pointer.
  const key = 'k'.repeat(10_000);
  assertRefused(`[{"${key}":{"a":1,"a":2}}]`, '/0', /"a"/);
  assertRefused(`[{"${key}":1,"${key}":2}]`, '/0', /^The key "k{20}…" appears/);
});

test('refuses the key __proto__, however it is written', () => {
  assertRefused('{"__proto__":{}}', '/__proto__', /__proto__/);
  assertRefused('{"a":[{"\\u005f_proto__":1}]}', '/a/0/__proto__', /__proto__/);
  assert.deepEqual(read('["__proto__"]'), ['__proto__']);
});

test('refuses depth over 64, without overflow at any depth', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(canonicalJson(read(nested(64))), nested(64));
  const objects = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`;
  assert.equal(canonicalJson(read(objects)), objects);
  assertRefused(nested(65), '/0'.repeat(64), /more than 64/);
  assertRefused(nested(1_000_000), '/0'.repeat(64), /more than 64/);
  assertRefused('['.repeat(1_048_576), '/0'.repeat(64), /more than 64/);
  assertRefused('{"a":'.repeat(1_000_000), '/a'.repeat(64), /more than 64/);
  // Depth is what is open at once, not how much was opened.
  assert.deepEqual(read(`[${'[[]],'.repeat(100)}{}]`), [...Array(100).fill([[]]), {}]);
});

test('refuses halves of surrogate pairs and U+0000', () => {
  for (const text of ['\\ud800', 'a\\uDFFFb', '\\ud83d\\ud83d', '\\ude00\\ud83d']) {
    assertRefused(`{"a":["${text}"]}`, '/a/0', /surrogate/);
    assertRefused(`{"a":{"${text}":1}}`, '/a', /surrogate/);
  }
  assertRefused('{"a":"x\\u0000"}', '/a', /U\+0000/);
  assertRefused('[{"\\u0000":1}]', '/0', /U\+0000/);
  assert.deepEqual(read('["\\ud83d\\ude00", "\\u0001\\"\\\\\\/"]'), ['😀', '\u0001"\\/']);
});

test('says where the fault is', () => {
  assertMalformed('', /empty/);
  assertMalformed(' \n\t\r', /white space/);
  assertMalformed('{"a":1,}', /^Unexpected "}" at character 8: expected a key/);
  assertMalformed('[1,]', /^Unexpected "]" at character 4: expected a value/);
  assertMalformed('[1 2]', /^Unexpected "2" at character 4: expected a comma or "]"/);
  assertMalformed('{"a" 1}', /^Unexpected "1" at character 6: expected a colon/);
  assertMalformed('{} x', /^Unexpected "x" at character 4: expected nothing more/);
  assertMalformed('[\u00a01]', /^Unexpected U\+00A0 at character 2/);
  assertMalformed('[😀]', /^Unexpected U\+1F600 at character 2/);
  assertMalformed('{"tokens":[1, 2, ', /^Unexpected end of the body at character 17/);
  assertMalformed('["a\nb"]', /^The string at character 2 has a raw control character/);
  for (const wrong of ['\\x', '\\u12', '\\u12g4', '\\U0041']) {
    assertMalformed(`["${wrong}"]`, /at character 2 .*escape/);
  }
});

test('rejects every truncated body', () => {
  const sample = '{"a":[1,-2.5e+3,true,false,null],"b\\n":"\\u00e9\\"x","é😀":{"c":{}},"d":""} ';
  const bytes = Buffer.from(sample);
  assert.deepEqual(readJson(bytes), JSON.parse(sample));
  for (let end = 0; end < bytes.length - 1; end++) {
    assert.equal(faultOf(bytes.subarray(0, end)).kind, 'malformed', `cut at ${end}`);
  }
});

test('requires valid UTF-8 without a byte order mark', () => {
  const invalid = [[0xff], [0xc3], [0xc0, 0xa2], [0xe0, 0x80, 0xa2], [0xf0, 0x80, 0x80, 0xa2]];
  invalid.push([0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbf], [0x80]);
  for (const bytes of invalid) {
    assertMalformed(Buffer.from([0x22, ...bytes, 0x22]), /not valid UTF-8 at byte [2-4]\./);
  }
  assertMalformed(Buffer.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), /not valid UTF-8 at byte 1\./);
  assertMalformed('\ufeff{}', /byte order mark/);
  assert.equal(read('"\ufeff"'), '\ufeff');
});
