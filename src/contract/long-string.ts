import { BACKSLASH, parsedLiteral } from './json-scanner.ts';

/** Characters that are parsed at once; 4 MiB of escapes would take 30 ms. */
const PART = 16_384;

/** A string literal with escapes that is parsed in parts. */
export class LongString {
  readonly start: number;
  /** Where the rest begins, and at the end the place behind the literal. */
  at: number;
  readonly #text: string;
  readonly #end: number;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.start = start;
    this.at = start + 1;
    this.#end = end;
  }

  static isLong(start: number, end: number): boolean {
    return end - start > PART;
  }

  get isComplete(): boolean {
    return this.at === this.#end;
  }

  /** The value of the next part. */
  nextPart(): string {
    const last = this.#end - 1;
    const end = Math.min(this.#partEnd(), last);
    const part = parsedLiteral(`"${this.#text.slice(this.at, end)}"`, this.start + 1);
    this.at = end === last ? this.#end : end;
    return part;
  }

  /** Neither an escape nor a surrogate pair is divided. */
  #partEnd(): number {
    const text = this.#text;
    const least = Math.min(this.at + PART, this.#end);
    let at = this.at;
    for (let unit = 0; at < least || (isHighSurrogate(unit) && at < this.#end); ) {
      unit = text.charCodeAt(at);
      if (unit !== BACKSLASH) at += 1;
      else if (text[at + 1] !== 'u') at += 2;
      else {
        unit = Number.parseInt(text.slice(at + 2, at + 6), 16);
        at += 6;
      }
    }
    return at;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
