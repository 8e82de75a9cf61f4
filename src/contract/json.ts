import { Buffer, isAscii, isUtf8 } from 'node:buffer';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

export type JsonFault = {
  /** 'malformed': the body is not JSON. 'refused': it is, but it is not taken. */
  kind: 'malformed' | 'refused';
  detail: string;
  /** JSON pointer of the place, '' for the whole; a malformed body has no places yet. */
  pointer: string;
};

export class JsonError extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.detail);
    this.name = 'JsonError';
    this.fault = fault;
  }
}

const MAX_DEPTH = 64;
/** Making a bigint of digits costs more than linear time, so their number has a limit. */
const MAX_INTEGER_DIGITS = 100;
/** An integer of so many digits is always a safe one. */
const SAFE_DIGITS = 15;
/** What a client sent comes back in the fault; a huge key must not make a huge answer. */
const MAX_ECHO = 20;
const MAX_POINTER_KEY = 100;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** Stands past the last character. */
const END = -1;

/** Reads a request body. Throws JsonError, with the first fault in the order of the text. */
export function readJson(bytes: Uint8Array): Json {
  return new Reader(decode(bytes)).document();
}

/**
 * The same text for the same value, whatever the order of keys, white space or spelling of numbers.
 * Numbers and bigints of the same mathematical value have the same text, and no others do.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const separator = members === '' ? '' : ',';
    members += `${separator}${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`;
  }
  return `{${members}}`;
}

function canonicalNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON text.`);
  // Past the safe range String() rounds its digits, and could meet those of another bigint.
  return Number.isInteger(value) ? String(BigInt(value)) : String(value);
}

function malformed(detail: string): JsonError {
  return new JsonError({ kind: 'malformed', detail, pointer: '' });
}

function refused(detail: string): JsonError {
  return new JsonError({ kind: 'refused', detail, pointer: '' });
}

/**
 * A refusal rises through the values it is in, and each puts its key or index in front. So the
 * pointer costs nothing where nothing is refused. It stops short of a key that is too long to show.
 */
function within(error: unknown, key: string | number): unknown {
  if (error instanceof JsonError && error.fault.kind === 'refused') {
    const segment = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
    const tooLong = segment.length > MAX_POINTER_KEY;
    error.fault.pointer = tooLong ? '' : `/${segment}${error.fault.pointer}`;
  }
  return error;
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Nearly every body is ASCII, where each byte is one character and needs no decoding.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) {
    throw malformed(`The body is not valid UTF-8 at byte ${firstBadByte(buffer)}.`);
  }
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) {
    throw malformed('The body starts with a byte order mark; send UTF-8 without one.');
  }
  return buffer.toString('utf8');
}

/** Counted from 1. Decoding replaces what is wrong, so the bytes part at the first fault. */
function firstBadByte(buffer: Buffer): number {
  const repaired = Buffer.from(buffer.toString('utf8'));
  return repaired.findIndex((byte, index) => byte !== buffer[index]) + 1;
}

function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Whether a literal with a fraction or an exponent means an integer, told from its digits. */
function isWhole(literal: string): boolean {
  const mark = literal.search(/e/i);
  const mantissa = mark === -1 ? literal : literal.slice(0, mark);
  const exponent = mark === -1 ? 0 : Number(literal.slice(mark + 1));
  let last = mantissa.length - 1;
  while (mantissa[last] === '0' || mantissa[last] === '.') last--;
  // Nothing but zeros, with or without a sign.
  if (last === -1 || mantissa[last] === '-') return true;
  const point = mantissa.includes('.') ? mantissa.indexOf('.') : mantissa.length;
  const power = last < point ? point - 1 - last : point - last;
  return power + exponent >= 0;
}

/** One pass by recursive descent; the limit of depth keeps the stack small. */
class Reader {
  readonly text: string;
  at = 0;
  depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Json {
    if (this.next() === END) {
      const only = this.text === '' ? 'is empty' : 'holds only white space';
      throw malformed(`The body ${only}; expected a JSON value.`);
    }
    const value = this.value();
    if (this.next() !== END) throw this.unexpected('nothing more after the value');
    return value;
  }

  /** The code at a place. Bare charCodeAt would lose its optimized form past the end. */
  code(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : END;
  }

  /** Steps over white space and gives the code there. */
  next(): number {
    let code = this.code(this.at);
    while (code === SPACE || code === LINE_FEED || code === RETURN || code === TAB) {
      code = this.code(++this.at);
    }
    return code;
  }

  value(): Json {
    const code = this.next();
    if (code === QUOTE) return this.string();
    if (isDigit(code) || code === MINUS) return this.number();
    if (code === OPEN_BRACE) return this.object();
    if (code === OPEN_BRACKET) return this.array();
    if (code === LOWER_T) return this.word('true', true);
    if (code === LOWER_F) return this.word('false', false);
    if (code === LOWER_N) return this.word('null', null);
    throw this.unexpected('a value');
  }

  word<T>(word: string, value: T): T {
    for (let index = 0; index < word.length; index++, this.at++) {
      if (this.code(this.at) !== word.charCodeAt(index)) throw this.unexpected(`"${word}"`);
    }
    return value;
  }

  object(): Json {
    const object: { [key: string]: Json } = {};
    if (this.opens(CLOSE_BRACE)) return object;
    do {
      if (this.next() !== QUOTE) throw this.unexpected('a key in double quotes');
      const key = this.string();
      try {
        if (key === '__proto__') throw refused('The key "__proto__" is not taken.');
        if (Object.hasOwn(object, key)) {
          throw refused(`The key ${JSON.stringify(shortened(key))} stands twice in one object.`);
        }
        if (this.next() !== COLON) throw this.unexpected('a colon after the key');
        this.at++;
        object[key] = this.value();
      } catch (error) {
        throw within(error, key);
      }
    } while (this.goesOn(CLOSE_BRACE));
    return object;
  }

  array(): Json {
    const array: Json[] = [];
    if (this.opens(CLOSE_BRACKET)) return array;
    do {
      try {
        array.push(this.value());
      } catch (error) {
        throw within(error, array.length);
      }
    } while (this.goesOn(CLOSE_BRACKET));
    return array;
  }

  /** Enters an array or object, and says whether it is empty and so already left again. */
  opens(close: number): boolean {
    if (this.depth === MAX_DEPTH) {
      throw refused(`The body has more than ${MAX_DEPTH} arrays and objects inside each other.`);
    }
    this.at++;
    if (this.next() === close) {
      this.at++;
      return true;
    }
    this.depth++;
    return false;
  }

  /** After one entry: true past a comma, false past the closing bracket. */
  goesOn(close: number): boolean {
    const code = this.next();
    if (code !== COMMA && code !== close) {
      throw this.unexpected(`a comma or "${String.fromCharCode(close)}"`);
    }
    this.at++;
    if (code === COMMA) return true;
    this.depth--;
    return false;
  }

  string(): string {
    const text = this.text;
    const start = this.at + 1;
    let at = start;
    let code = this.code(at);
    while (code !== QUOTE && code !== BACKSLASH && code >= SPACE) code = this.code(++at);
    if (code !== QUOTE) return this.escapedString(start, at);
    this.at = at + 1;
    return text.slice(start, at);
  }

  /** Goes on where a string is not plain any more: checks the rest and has it unescaped. */
  escapedString(start: number, from: number): string {
    this.at = from;
    for (let code = this.code(from); code !== QUOTE; code = this.code(this.at)) {
      if (code === BACKSLASH) this.escape();
      else if (code >= SPACE) this.at++;
      else throw this.unexpected('the rest of the string, without raw control characters');
    }
    this.at++;
    const value: string = JSON.parse(this.text.slice(start - 1, this.at));
    const place = `The string at character ${start}`;
    if (!value.isWellFormed()) {
      throw refused(`${place} has half of a surrogate pair, which UTF-8 cannot store.`);
    }
    if (value.includes('\0')) throw refused(`${place} has U+0000, which cannot be stored.`);
    return value;
  }

  escape(): void {
    const letter = this.code(++this.at);
    if (letter === LOWER_U) {
      const end = this.at + 4;
      while (this.at < end) {
        if (!/[0-9a-f]/i.test(this.text.charAt(++this.at))) {
          throw this.unexpected('four hexadecimal digits after "\\u"');
        }
      }
    } else if (!'"\\/bfnrt'.includes(String.fromCharCode(letter))) {
      throw this.unexpected('a letter that JSON can escape');
    }
    this.at++;
  }

  number(): number | bigint {
    const start = this.at;
    const negative = this.code(start) === MINUS;
    const first = negative ? start + 1 : start;
    let at = first;
    let value = 0;
    for (let code = this.code(at); isDigit(code); code = this.code(++at)) {
      value = value * 10 + (code - ZERO);
    }
    this.at = at;
    if (at === first) throw this.unexpected('a digit');
    if (at > first + 1 && this.code(first) === ZERO) {
      this.at = first + 1;
      throw this.unexpected('no digit after a leading zero');
    }
    const mark = this.code(at);
    if (mark === POINT || mark === LOWER_E || mark === UPPER_E) return this.decimal(start);
    if (at - first > SAFE_DIGITS) return this.longInteger(start, at - first);
    // Subtracted, not negated, since -0 is read as 0.
    return negative ? 0 - value : value;
  }

  longInteger(start: number, digits: number): number | bigint {
    const literal = this.text.slice(start, this.at);
    if (digits > MAX_INTEGER_DIGITS) {
      throw refused(
        `The number ${shortened(literal)} has more than ${MAX_INTEGER_DIGITS} digits and cannot be read exactly.`,
      );
    }
    const value = Number(literal);
    return Number.isSafeInteger(value) ? value : BigInt(literal);
  }

  /** Goes on behind the whole digits, with a fraction, an exponent or both. */
  decimal(start: number): number {
    if (this.code(this.at) === POINT) this.digits();
    const mark = this.code(this.at);
    if (mark === LOWER_E || mark === UPPER_E) {
      const sign = this.code(this.at + 1);
      if (sign === PLUS || sign === MINUS) this.at++;
      this.digits();
    }
    const literal = this.text.slice(start, this.at);
    const value = Number(literal);
    const lost = Number.isInteger(value) ? !isWhole(literal) : !Number.isFinite(value);
    if (lost) throw refused(`The number ${shortened(literal)} cannot be read exactly.`);
    // Added to zero, -0 becomes 0.
    return value + 0;
  }

  /** Steps over one character and the digits that must follow it. */
  digits(): void {
    const first = ++this.at;
    while (isDigit(this.code(this.at))) this.at++;
    if (this.at === first) throw this.unexpected('a digit');
  }

  /** Counts characters from 1, as the reader of an error message does. */
  unexpected(expected: string): JsonError {
    const point = this.text.codePointAt(this.at);
    if (point === undefined) {
      return malformed(
        `Unexpected end of the body at character ${this.text.length}: expected ${expected}.`,
      );
    }
    const shown =
      point > SPACE && point < 0x7f
        ? JSON.stringify(String.fromCodePoint(point))
        : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    return malformed(`Unexpected ${shown} at character ${this.at + 1}: expected ${expected}.`);
  }
}
