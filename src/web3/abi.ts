/** Bytes as `0x` and hex digits. */
export type Hex = `0x${string}`;

const WORD = 32;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/** A node may answer with anything, whatever the method. */
export const isHex = (value: unknown): value is Hex => typeof value === 'string' && HEX.test(value);

/** A number or an address as the 64 hex digits of a 32-byte word. */
export function wordOf(value: number | bigint | string): string {
  const digits = typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16);
  return digits.padStart(2 * WORD, '0');
}

/** The digits of bytes of any length: their number, and the bytes in whole words. */
function sizedBytes(bytes: Hex): string {
  const digits = bytes.slice(2);
  const words = Math.ceil(digits.length / (2 * WORD));
  return `${wordOf(digits.length / 2)}${digits.padEnd(2 * WORD * words, '0')}`;
}

/**
 * Encodes values, of which strings of digits are words and the rest is bytes of any length: first
 * a word for each, which for bytes is where they start, and then the bytes.
 */
export function encode(values: readonly (string | { bytes: Hex })[]): string {
  let heads = '';
  let tails = '';
  for (const value of values) {
    const isWord = typeof value === 'string';
    heads += isWord ? value : wordOf(values.length * WORD + tails.length / 2);
    tails += isWord ? '' : sizedBytes(value.bytes);
  }
  return heads + tails;
}

/** Reads encoded values by their position in bytes. Throws if they are not all there. */
export class AbiReader {
  readonly #digits: string;

  constructor(data: Hex) {
    this.#digits = data.slice(2);
  }

  /** A word that is a position, a length or a flag: a number no larger than the data. */
  number(at: number): number {
    const value = Number.parseInt(this.#slice(at, WORD), 16);
    if (value <= this.#digits.length / 2) return value;
    throw new RangeError('a number is too large');
  }

  address(at: number): Hex {
    return `0x${this.#slice(at, WORD).slice(-40)}`;
  }

  /** Bytes of any length. The word at the position says where they start, counted from `base`. */
  bytes(at: number, base = 0): Hex {
    const start = base + this.number(at);
    return `0x${this.#slice(start + WORD, this.number(start))}`;
  }

  #slice(at: number, size: number): string {
    const digits = this.#digits.slice(2 * at, 2 * (at + size));
    if (digits.length === 2 * size) return digits;
    throw new RangeError('the data end too early');
  }
}
