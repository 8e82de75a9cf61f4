import { Buffer, isAscii, isUtf8 } from 'node:buffer';

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

/** Parsing a bigint takes more than linear time. */
const MAX_INTEGER_DIGITS = 100;
const MAX_NUMBER_CHARACTERS = 1_000;
/** As it is written: more than any key that is stored. */
const MAX_KEY = 65_536;
/** Every integer of so many digits is a safe one. */
const SAFE_DIGITS = 15;
/** Faults quote the request; a huge key must not make a huge answer. */
const MAX_ECHO = 20;
const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20] as const;
export const BACKSLASH = 0x5c;
export const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a] as const;
export const [OPEN_BRACKET, CLOSE_BRACKET] = [0x5b, 0x5d] as const;
export const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d] as const;
const [MINUS, POINT, ZERO, NINE, UPPER_E, LOWER_E] = [0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65] as const;
/** The code past the last character. */
export const END = -1;
const WORDS = Object.entries({ true: true, false: false, null: null });
/** As many as a number may have, and one more. */
const NUMBER_CHARACTERS = new RegExp(`[-+.0-9eE]{0,${MAX_NUMBER_CHARACTERS + 1}}`, 'y');
const NUMBER = /^-?(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/;
const WHITE_SPACE = /[ \n\r\t]*/y;
/** Anything but a quote, a backslash and control characters. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;
/** From here on a regular expression is faster than a loop: 4 MiB take 5 ms instead of 25. */
const LONG_RUN = 256;

export const malformed = (detail: string) => new JsonError('malformed', detail);
export const refused = (detail: string) => new JsonError('refused', detail);

/** The text of a body, which must be UTF-8. */
export function decode(buffer: Buffer): string {
  // Nearly every body is ASCII, which needs no decoding.
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) {
    // Decoding replaces invalid bytes, so the two differ first where the fault is.
    const at = commonLength(buffer, Buffer.from(buffer.toString('utf8')));
    throw malformed(`The body is not valid UTF-8 at byte ${at + 1}.`);
  }
  if (buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf) {
    throw malformed('The body starts with a byte order mark. Send UTF-8 without one.');
  }
  return buffer.toString('utf8');
}

/** The bytes that two buffers begin with in common: byte by byte, 4 MiB would take 40 ms. */
function commonLength(one: Buffer, other: Buffer): number {
  let equal = 0;
  let different = Math.max(one.length, other.length);
  while (different - equal > 1) {
    const middle = (equal + different) >>> 1;
    const half = one.subarray(equal, middle);
    if (half.equals(other.subarray(equal, middle))) equal = middle;
    else different = middle;
  }
  return equal;
}

export function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}

/** Whether a literal denotes an integer, judged by its digits: 1.50e1 does and 1.55e1 does not. */
function isWhole(whole: string, fraction: string, exponent: string): boolean {
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 || end <= whole.length + Number(exponent);
}

/** The value of a string literal with escapes; `character` is where the whole string begins. */
export function parsedLiteral(literal: string, character: number): string {
  try {
    return JSON.parse(literal);
  } catch {
    const place = `The string at character ${character}`;
    throw malformed(`${place} has a raw control character or an invalid escape.`);
  }
}

/** The value, unless it has characters that cannot be stored: only an escape can denote them. */
export function storable(value: string, character: number): string {
  const place = `The string at character ${character}`;
  if (value.includes('\0')) throw refused(`${place} contains U+0000, which cannot be stored.`);
  if (value.isWellFormed()) return value;
  throw refused(`${place} contains half of a surrogate pair, which cannot be stored.`);
}

/** Where the characters end that a sticky expression matches. */
function endOf(characters: RegExp, text: string, from: number): number {
  characters.lastIndex = from;
  characters.test(text);
  return characters.lastIndex;
}

/** Reads the tokens of a text one after another. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips white space and returns the next code. */
  next(): number {
    const start = this.at;
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return code;
      this.at++;
      if (this.at - start === LONG_RUN) this.at = endOf(WHITE_SPACE, this.text, this.at);
    }
    return END;
  }

  /** A string, number or word that begins with `code`. */
  scalar(code: number): string | number | bigint | boolean | null {
    if (code === QUOTE) return this.string();
    if ((code >= ZERO && code <= NINE) || code === MINUS) return this.number();
    const found = WORDS.find(([word]) => this.text.startsWith(word, this.at));
    if (found === undefined) throw this.unexpected('a value');
    this.at += found[0].length;
    return found[1];
  }

  string(): string {
    const start = this.at;
    return this.valueFrom(start, this.passString());
  }

  key(): string {
    const start = this.at;
    const isPlain = this.passString();
    if (this.at - start - 2 > MAX_KEY) {
      throw refused(`The key at character ${start + 1} has over ${MAX_KEY} characters.`);
    }
    return this.valueFrom(start, isPlain);
  }

  /** The value of the string that was passed last. */
  valueFrom(start: number, isPlain: boolean): string {
    if (isPlain) return this.text.slice(start + 1, this.at - 1);
    return storable(parsedLiteral(this.text.slice(start, this.at), start + 1), start + 1);
  }

  /** Moves past a string; true if it has no escapes. */
  passString(): boolean {
    const text = this.text;
    let at = this.at + 1;
    let plain = true;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH || code < SPACE) plain = false;
      // An escaped quote does not end the string.
      if (code === BACKSLASH) at++;
      else if (at - this.at === LONG_RUN) at = endOf(PLAIN_TEXT, text, at + 1) - 1;
    }
    this.at = at + 1;
    if (at >= text.length) throw this.unexpected('the rest of a string');
    return plain;
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
    for (const end = first + SAFE_DIGITS + 1; at < end; at++) {
      code = text.charCodeAt(at);
      // At the end of the text it is NaN.
      if (!(code >= ZERO && code <= NINE)) break;
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
    if (literal.length > MAX_NUMBER_CHARACTERS) {
      throw refused(`${shown} has over ${MAX_NUMBER_CHARACTERS} characters.`);
    }
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
