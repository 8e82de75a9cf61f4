import { Buffer, isAscii, isUtf8 } from 'node:buffer';

export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

export class JsonError extends Error {
  /** 'malformed': the body is not JSON. 'refused': it is, but it is not accepted. */
  readonly kind: 'malformed' | 'refused';
  /** JSON pointer; '' for the whole body, and always for a malformed one. */
  pointer = '';

  constructor(kind: JsonError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const MAX_DEPTH = 64;
/** Parsing a bigint takes more than linear time. */
const MAX_INTEGER_DIGITS = 100;
/** Every integer of so many digits is a safe one. */
const SAFE_DIGITS = 15;
/** Faults quote the request; a huge key must not make a huge answer. */
const MAX_ECHO = 20;
const MAX_POINTER_KEY = 100;
const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const [MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E] = [0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65] as const;
/** The code past the last character. */
const END = -1;
const WORDS = Object.entries({ true: true, false: false, null: null });
const NUMBER_CHARACTERS = /[-+.0-9eE]*/y;
const NUMBER = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/;

/** Parses a request body. Throws JsonError with the first fault in the text. */
export function readJson(bytes: Buffer): Json {
  return new Reader(decode(bytes)).document();
}

const malformed = (detail: string) => new JsonError('malformed', detail);
const refused = (detail: string) => new JsonError('refused', detail);

/**
 * As a refusal propagates, each enclosing value prepends its key or index, so that pointers cost
 * nothing unless something is refused. A key that is too long to show resets the pointer.
 */
function within(error: unknown, key: string | number): unknown {
  if (error instanceof JsonError && error.kind === 'refused') {
    const segment = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
    error.pointer = segment.length <= MAX_POINTER_KEY ? `/${segment}${error.pointer}` : '';
  }
  return error;
}

function decode(buffer: Buffer): string {
  // Nearly every body is ASCII, which needs no decoding.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) {
    // Decoding replaces invalid bytes, so the two differ first where the fault is.
    const at = Buffer.from(buffer.toString('utf8')).findIndex((byte, i) => byte !== buffer[i]);
    throw malformed(`The body is not valid UTF-8 at byte ${at + 1}.`);
  }
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) {
    throw malformed('The body starts with a byte order mark. Send UTF-8 without one.');
  }
  return buffer.toString('utf8');
}

function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}

/** Whether a literal denotes an integer, judged by its digits: 1.50e1 does and 1.55e1 does not. */
function isWhole(whole: string, fraction: string, exponent: string): boolean {
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 || end <= whole.length + Number(exponent);
}

/** The value of a string literal with escapes. */
function unescaped(literal: string, character: number): string {
  const place = `The string at character ${character}`;
  let value: string;
  try {
    value = JSON.parse(literal);
  } catch {
    throw malformed(`${place} has a raw control character or an invalid escape.`);
  }
  if (value.includes('\0')) throw refused(`${place} contains U+0000, which cannot be stored.`);
  if (value.isWellFormed()) return value;
  throw refused(`${place} contains half of a surrogate pair, which cannot be stored.`);
}

/** Recursive descent in one pass; the depth limit bounds the stack. */
class Reader {
  readonly text: string;
  at = 0;
  depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Json {
    if (this.next() === END) throw malformed('The body is empty or only white space.');
    const value = this.value();
    if (this.next() !== END) throw this.unexpected('nothing more after the value');
    return value;
  }

  /** Skips white space and returns the next code. */
  next(): number {
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return code;
      this.at++;
    }
    return END;
  }

  value(): Json {
    const code = this.next();
    if (code === QUOTE) return this.string();
    if ((code >= ZERO && code <= NINE) || code === MINUS) return this.number();
    if (code === OPEN_BRACE) return this.object();
    if (code === OPEN_BRACKET) return this.array();
    const found = WORDS.find(([word]) => this.text.startsWith(word, this.at));
    if (found === undefined) throw this.unexpected('a value');
    this.at += found[0].length;
    return found[1];
  }

  object(): Json {
    const object: { [key: string]: Json } = {};
    if (this.isEmpty(CLOSE_BRACE)) return object;
    do {
      if (this.next() !== QUOTE) throw this.unexpected('a key in double quotes');
      const key = this.string();
      try {
        if (key === '__proto__') throw refused('The key "__proto__" is not allowed.');
        if (Object.hasOwn(object, key)) {
          throw refused(`The key ${JSON.stringify(shortened(key))} appears twice in one object.`);
        }
        if (this.next() !== COLON) throw this.unexpected('a colon after the key');
        this.at++;
        object[key] = this.value();
      } catch (error) {
        throw within(error, key);
      }
    } while (this.continues(CLOSE_BRACE));
    return object;
  }

  array(): Json {
    const array: Json[] = [];
    if (this.isEmpty(CLOSE_BRACKET)) return array;
    do {
      try {
        array.push(this.value());
      } catch (error) {
        throw within(error, array.length);
      }
    } while (this.continues(CLOSE_BRACKET));
    return array;
  }

  /** Enters an array or object; true if it is empty, and so already left again. */
  isEmpty(close: number): boolean {
    if (this.depth === MAX_DEPTH) {
      throw refused(`The body nests more than ${MAX_DEPTH} arrays and objects.`);
    }
    this.at++;
    const empty = this.next() === close;
    if (empty) this.at++;
    else this.depth++;
    return empty;
  }

  /** After one entry: true past a comma, false past the closing bracket. */
  continues(close: number): boolean {
    const code = this.next();
    if (code !== COMMA && code !== close) {
      throw this.unexpected(`a comma or "${String.fromCharCode(close)}"`);
    }
    this.at++;
    if (code === close) this.depth--;
    return code === COMMA;
  }

  string(): string {
    const text = this.text;
    const start = this.at + 1;
    let at = start;
    let plain = true;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH || code < SPACE) plain = false;
      // An escaped quote does not end the string.
      if (code === BACKSLASH) at++;
    }
    this.at = at + 1;
    if (at >= text.length) throw this.unexpected('the rest of a string');
    return plain ? text.slice(start, at) : unescaped(text.slice(start - 1, at + 1), start);
  }

  /** Short integers are computed while scanning; all others are parsed from their literal. */
  number(): number | bigint {
    const text = this.text;
    const start = this.at;
    const negative = text.charCodeAt(start) === MINUS;
    const first = negative ? start + 1 : start;
    let value = 0;
    let code = END;
    let at = first;
    for (; at < text.length; at++) {
      code = text.charCodeAt(at);
      if (code < ZERO || code > NINE) break;
      value = value * 10 + (code - ZERO);
    }
    const digits = at - first;
    const simple = code !== POINT && code !== LOWER_E && code !== UPPER_E && digits <= SAFE_DIGITS;
    if (!simple || digits === 0 || (digits > 1 && text.charCodeAt(first) === ZERO)) {
      return this.literalNumber(start);
    }
    this.at = at;
    // Subtracted rather than negated, so that -0 becomes 0.
    return negative ? 0 - value : value;
  }

  literalNumber(start: number): number | bigint {
    NUMBER_CHARACTERS.lastIndex = start;
    const literal = NUMBER_CHARACTERS.exec(this.text)?.[0] ?? '';
    this.at = start + literal.length;
    const [, whole, fraction, exponent] = NUMBER.exec(literal) ?? [];
    const shown = `The number ${shortened(literal)} at character ${start + 1}`;
    if (whole === undefined) throw malformed(`${shown} is not valid JSON.`);
    const value = Number(literal);
    if (fraction === undefined && exponent === undefined) {
      if (Number.isSafeInteger(value)) return value;
      if (whole.length <= MAX_INTEGER_DIGITS) return BigInt(literal);
      throw refused(`${shown} cannot be read exactly: over ${MAX_INTEGER_DIGITS} digits.`);
    }
    const lost = Number.isInteger(value) && !isWhole(whole, fraction ?? '', exponent ?? '0');
    if (lost || !Number.isFinite(value)) throw refused(`${shown} cannot be read exactly.`);
    // Added to zero, -0 becomes 0.
    return value + 0;
  }

  /** Positions count from 1. */
  unexpected(expected: string): JsonError {
    const point = this.text.codePointAt(this.at) ?? END;
    let found = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    if (point === END) found = 'end of the body';
    else if (point > SPACE && point < 0x7f) found = JSON.stringify(String.fromCodePoint(point));
    const place = Math.min(this.at + 1, this.text.length);
    return malformed(`Unexpected ${found} at character ${place}: expected ${expected}.`);
  }
}
