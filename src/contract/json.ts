import { Buffer, isAscii, isUtf8 } from 'node:buffer';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

export type JsonFault = {
  /** 'malformed': the body is not JSON. 'refused': it is, but it cannot be taken exactly. */
  kind: 'malformed' | 'refused';
  detail: string;
  /** JSON pointer of the place, '' for the whole. */
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
/** Reading digits into a bigint costs more than linear time, so their number has a limit. */
const MAX_INTEGER_DIGITS = 100;
/** Any integer of so many digits is a safe integer. */
const SAFE_DIGITS = 15;
/** A client's keys come back to it in the pointer; a huge key must not make a huge answer. */
const MAX_POINTER_LENGTH = 500;
const MAX_ECHO = 20;

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
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** What stands past the last character. */
const END = -1;

/** Reads a request body. Throws JsonError. */
export function readJson(bytes: Uint8Array): Json {
  return new Reader(decode(bytes)).document();
}

function malformed(detail: string): JsonError {
  return new JsonError({ kind: 'malformed', detail, pointer: '' });
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Nearly every body is ASCII, and then one byte is one character without any decoding.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) {
    throw malformed(`The body is not valid UTF-8 at byte ${firstBadByte(buffer)}.`);
  }
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) {
    throw malformed('The body starts with a byte order mark; send UTF-8 without one.');
  }
  return buffer.toString('utf8');
}

/** Counted from 1. Decoding replaces what is wrong, so the two texts part at the first fault. */
function firstBadByte(buffer: Buffer): number {
  const repaired = Buffer.from(buffer.toString('utf8'));
  const at = repaired.findIndex((byte, index) => byte !== buffer[index]);
  return (at === -1 ? repaired.length : at) + 1;
}

/** Input shown back to the client: short, quoted, and with nothing in it that does not print. */
function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text);
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/**
 * One pass over the text by recursive descent; the limit of depth keeps the stack small. The first
 * fault met is the one reported.
 */
const knownKeys: string[] = new Array(256).fill('');
class Reader {
  readonly text: string;
  at = 0;
  /** How many arrays and objects are open, and in each the key or index being read. */
  depth = 0;
  readonly path: (string | number)[] = [];

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

  /** Steps over white space and gives the code of the character there. */
  next(): number {
    const text = this.text;
    let at = this.at;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) {
        this.at = at;
        return code;
      }
      at++;
    }
    this.at = at;
    return END;
  }

  /** The code at a place, which unlike charCodeAt alone stays fast when it is past the end. */
  code(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : END;
  }

  value(): Json {
    const code = this.next();
    switch (code) {
      case QUOTE:
        return this.string();
      case OPEN_BRACE:
        return this.object();
      case OPEN_BRACKET:
        return this.array();
      case LOWER_T:
        return this.word('true', true);
      case LOWER_F:
        return this.word('false', false);
      case LOWER_N:
        return this.word('null', null);
      default:
        if (isDigit(code) || code === MINUS) return this.number();
        throw this.unexpected('a value');
    }
  }

  word<T extends Json>(word: string, value: T): T {
    for (let index = 0; index < word.length; index++, this.at++) {
      if (this.code(this.at) !== word.charCodeAt(index)) throw this.unexpected(`"${word}"`);
    }
    return value;
  }

  object(): Json {
    this.open();
    const object: { [key: string]: Json } = {};
    const level = this.depth - 1;
    let code = this.next();
    if (code !== CLOSE_BRACE) {
      for (;;) {
        if (code !== QUOTE) throw this.unexpected('a key in double quotes');
        const key = this.key();
        this.path[level] = key;
        // Reading first is cheap; only a name that is there, or inherited, needs the exact question.
        if (object[key] !== undefined && Object.hasOwn(object, key)) {
          throw this.refused(`The key ${quoted(key)} stands twice in one object.`);
        }
        if (this.next() !== COLON) throw this.unexpected('a colon after the key');
        this.at++;
        object[key] = this.value();
        code = this.next();
        if (code !== COMMA) break;
        this.at++;
        code = this.next();
      }
      if (code !== CLOSE_BRACE) throw this.unexpected('a comma or "}"');
    }
    this.close();
    return object;
  }

  array(): Json {
    this.open();
    const array: Json[] = [];
    const level = this.depth - 1;
    let code = this.next();
    if (code !== CLOSE_BRACKET) {
      for (;;) {
        this.path[level] = array.length;
        array.push(this.value());
        code = this.next();
        if (code !== COMMA) break;
        this.at++;
      }
      if (code !== CLOSE_BRACKET) throw this.unexpected('a comma or "]"');
    }
    this.close();
    return array;
  }

  open(): void {
    if (this.depth === MAX_DEPTH) {
      throw this.refused(`The body nests more than ${MAX_DEPTH} arrays and objects.`);
    }
    this.depth++;
    this.at++;
  }

  close(): void {
    this.depth--;
    this.at++;
  }

  key(): string {
    const text = this.text;
    const start = this.at + 1;
    let hash = 0;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const known = knownKeys[hash & 255] as string;
        if (known.length === at - start && text.startsWith(known, start)) {
          this.at = at + 1;
          return known;
        }
        break;
      }
      if (code < SPACE || code === BACKSLASH) break;
      hash = Math.imul(hash, 31) + code;
    }
    const key = this.string();
    if (key === '__proto__') {
      this.path[this.depth - 1] = key;
      throw this.refused('The key "__proto__" is not taken.');
    }
    if (key.length < 32) knownKeys[hash & 255] = key;
    return key;
  }

  string(): string {
    const text = this.text;
    const start = this.at + 1;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return text.slice(start, at);
      }
      if (code < SPACE || code === BACKSLASH) {
        return this.escaped(start, at);
      }
    }
    this.at = text.length;
    throw this.unexpected('the end of the string');
  }

  escaped(start: number, at: number): string {
    at = this.text.indexOf('"', at); this.at = at + 1; return JSON.parse(this.text.slice(start - 1, at + 1)) as string;
  }

  number(): number | bigint {
    const text = this.text;
    const start = this.at;
    const negative = text.charCodeAt(start) === MINUS;
    const first = negative ? start + 1 : start;
    let at = first;
    let value = 0;
    let code = this.code(at);
    while (isDigit(code)) {
      value = value * 10 + code - ZERO;
      code = this.code(++at);
    }
    this.at = at;
    return negative ? 0 - value : value;
  }

  unexpected(expected: string): JsonError {
    return malformed(`Unexpected ${this.at} ${expected}`);
  }
  refused(detail: string): JsonError {
    return malformed(detail);
  }
}
export function canonicalJson(value: Json): string { return JSON.stringify(value); }
