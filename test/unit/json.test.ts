import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Json, readJson } from '../../src/contract/bodies.ts';
import { type ProblemCode, ProblemError, type RequestFault } from '../../src/contract/problems.ts';
import { canonicalJson } from '../../src/http/calls.ts';
import { anyJson, damagedJson } from './any-json.ts';

const read = (text: string) => readJson(Buffer.from(text));

function problemOf(body: string | Uint8Array): ProblemError {
  try {
    readJson(Buffer.from(body as string));
  } catch (error) {
    assert(error instanceof ProblemError, `not a problem: ${error}`);
    assert(error.message.length < 500, error.message);
    return error;
  }
  return assert.fail(`was read: ${String(body).slice(0, 60)}`);
}

function assertRefused(text: string, at: string, expected: RegExp): void {
  const { code, extra } = problemOf(text);
  const [fault] = extra.errors as RequestFault[];
  assert.deepEqual([code, fault?.pointer], ['invalid-request', at], text.slice(0, 60));
  assert.match(fault?.detail ?? '', expected);
}

function assertMalformed(body: string | Uint8Array, expected: RegExp): void {
  const { code, message } = problemOf(body);
  assert.equal(code, 'malformed-json', String(body));
  assert.match(message, expected);
}

function assertLikeParse(body: Buffer): void {
  let parsed: string | undefined;
  try {
    if (isUtf8(body)) parsed = JSON.stringify(JSON.parse(body.toString()));
  } catch {}
  try {
    const value = readJson(body);
    assert(parsed !== undefined, `was read: ${body}`);
    if (canonicalJson(value).includes('Infinity')) return;
    assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(parsed));
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    assert(!parsed || (error.code as ProblemCode) === 'invalid-request', `${error.code} ${body}`);
  }
}

test('reads whatever JSON.stringify writes', () => {
  const check = (value: Json) => assert.deepEqual(read(JSON.stringify(value, null, 1)), value);
  fc.assert(fc.property(anyJson, check));
});

test('accepts and rejects what JSON.parse does, apart from the documented refusals', () => {
  fc.assert(fc.property(damagedJson(1), assertLikeParse), { numRuns: 3000 });
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

test('reads integers exactly, however they are written', () => {
  const table: [number | bigint, string][] = [
    [0, '0 0.0 0e999999999999'],
    [5, `5 5.0 5e0 50e-1 0.5E+1 5.${'0'.repeat(998)}`],
    [1000, '1e3 1000 1000.000'],
    [-1250, '-12.50e+2'],
    [0.1, '0.1 0.10000000000000000000000001'],
    [0.30000000000000004, '0.30000000000000004'],
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
      assert.strictEqual(read(text), value, text.slice(0, 40));
      // Beside others that need to be read exactly, and without.
      assert.deepEqual(read(`{"a":[${text} ]}`), { a: [value] });
      assert.deepEqual(read(`[9007199254740995,${text}]`), [9007199254740995n, value]);
      assert.deepEqual(read(`[ -${text.replace(/^-/, '')}, 1e3]`), [-abs(value), 1000]);
    }
  }
});

const abs = (value: number | bigint) => (value < 0 ? -value : value);

test('a number that would lose digits is none that any field accepts', () => {
  const whole = '5.00000000000000000001 0.99999999999999999999 1234567890123.999999';
  const huge = `9007199254740993.5 123456789012345678901e-1 9${digits100} 1e400 -1e400`;
  for (const text of whole.split(' ')) {
    assert.equal(problemOf(`{ "tokens": ${text} }`).code, 'invalid-request', text);
  }
  for (const text of `${huge} ${'9'.repeat(1_000)}`.split(' ')) {
    const [value] = read(`[${text}]`) as [Json];
    assert.ok(typeof value === 'number' && !Number.isSafeInteger(value), text.slice(0, 40));
  }
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

test('of two equal keys the second counts', () => {
  assert.deepEqual(read('{"a":1,"b":2,"\\u0061":3}'), { a: 3, b: 2 });
});

test('refuses the key __proto__, however it is written', () => {
  assertRefused('{"__proto__":{}}', '/__proto__', /not allowed/);
  assertRefused('{"a":[{"\\u005f_proto__":1}]}', '/a/0/__proto__', /not allowed/);
  assertRefused('{"id":9007199254740993,"__proto__":1}', '/__proto__', /not allowed/);
  assert.deepEqual(read('["__proto__"]'), ['__proto__']);
});

test('refuses depth over 64, without overflow at any depth', () => {
  const nested = (depth: number, inner = '') => '['.repeat(depth) + inner + ']'.repeat(depth);
  assert.equal(canonicalJson(read(nested(64))), nested(64));
  assertRefused(nested(65), '/0'.repeat(64), /64 arrays and objects/);
  assertRefused(nested(1_000_000), '/0'.repeat(64), /64 arrays and objects/);
  assertRefused(nested(1_000_000, '9007199254740993'), '', /64 arrays and objects/);
  assertRefused(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, '/a'.repeat(64), /64 arrays/);
  assertMalformed('['.repeat(1_048_576), /Unexpected end/);
  // Depth is what is open at once, not how much was opened.
  assert.deepEqual(read(`[${'[[]],'.repeat(100)}{}]`), [...Array(100).fill([[]]), {}]);
});

test('refuses halves of surrogate pairs and U+0000, and names their place', () => {
  for (const text of ['\\ud800', 'a\\uDFFFb', '\\ud83d\\ud83d', '\\ude00\\ud83d', 'x\\u0000']) {
    assertRefused(`{"a/b~c":["${text}"]}`, '/a~1b~0c/0', /U\+0000 or half of a surrogate pair/);
    const { extra } = problemOf(`{"a":{"${text}":1}}`);
    assert.match((extra.errors as RequestFault[])[0]?.pointer ?? '', /^\/a\/.+/);
  }
  assert.deepEqual(read('["\\ud83d\\ude00", "\\u0001\\"\\\\\\/"]'), ['😀', '\u0001"\\/']);
  // A huge key does not make a huge answer.
  assertRefused(`{"${'k'.repeat(10_000)}":"\\u0000"}`, `/${'k'.repeat(100)}`, /U\+0000/);
});

test('says what is wrong with a text', () => {
  assertMalformed('', /^Unexpected end of JSON input\.$/);
  assertMalformed(' \n', /^Unexpected end of JSON input\.$/);
  assertMalformed('[1,]', /^Unexpected token '\]'/);
  assertMalformed('{"a" 1}', /^Expected ':' after property name in JSON at position 5/);
  assertMalformed('["a\nb"]', /^Bad control character in string literal/);
});

test('rejects every truncated body', () => {
  const sample = '{"a":[1,-2.5e+3,true,false,null],"b\\n":"\\u00e9\\"x","é😀":{"c":{}},"d":""} ';
  const bytes = Buffer.from(sample);
  assert.deepEqual(readJson(bytes), JSON.parse(sample));
  for (let end = 0; end < bytes.length - 1; end++) {
    assert.equal(problemOf(bytes.subarray(0, end)).code, 'malformed-json', `cut at ${end}`);
  }
});

test('requires valid UTF-8 without a byte order mark', () => {
  const invalid = [[0xff], [0xc3], [0xc0, 0xa2], [0xe0, 0x80, 0xa2], [0xf0, 0x80, 0x80, 0xa2]];
  invalid.push([0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xef, 0xbf], [0x80]);
  for (const bytes of invalid) {
    assertMalformed(Buffer.from([0x22, ...bytes, 0x22]), /not valid UTF-8/);
  }
  assertMalformed('\ufeff{}', /^Unexpected token/);
  assert.equal(read('"\ufeff"'), '\ufeff');
});
