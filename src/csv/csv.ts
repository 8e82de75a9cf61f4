/**
 * Spreadsheets run text that begins like this as a formula, and a cell of blanks is an empty one,
 * so in CSV files no name may be like that. An apostrophe in front makes it text; importing removes
 * the apostrophe again.
 */
const MISREAD = /^'*(?:[=+\-@\t\r]|\s+$)/;

export const guarded = (text: string): string => (MISREAD.test(text) ? `'${text}` : text);

export const unguarded = (text: string): string =>
  text.startsWith("'") && MISREAD.test(text) ? text.slice(1) : text;

/** One record, by RFC 4180 except that lines end with LF, as those of other tools do. */
export const csvLine = (fields: readonly string[], delimiter = ','): string =>
  `${fields.map((field) => quoted(field, delimiter)).join(delimiter)}\n`;

function quoted(field: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(field) && !field.includes(delimiter);
  return isPlain ? field : `"${field.replaceAll('"', '""')}"`;
}

/** A record of a CSV file, or what is wrong with it. */
export interface CsvRecord {
  /** Of the file, from 1: that on which the record begins. */
  line: number;
  /** Of a faulty record, those of its first line as they are without the meaning of quotes. */
  fields: string[];
  fault: string | null;
}

/** A record that is longer has a quote without its end. */
const MAX_RECORD = 262_144;

const DELIMITERS = [',', ';', '\t'];

/** What separates the first line: spreadsheets write ";" where a comma is the decimal mark. */
export function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string): number => plain.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * Reads CSV by RFC 4180, given in pieces. More lenient: lines may end with LF alone, and a quote
 * inside an unquoted field is a character. Empty lines are left out.
 */
export class CsvReader {
  readonly #delimiter: string;
  #text = '';
  #at = 0;
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** The record whose end has not been read yet: where it begins, and its length so far. */
  get unfinished(): { line: number; length: number } {
    return { line: this.#line, length: this.#text.length - this.#at };
  }

  /** The records that are complete with this piece. */
  *read(piece: string, isLast: boolean): Generator<CsvRecord> {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    while (this.#at < this.#text.length) {
      const record = this.#next(isLast);
      if (record === null) return;
      if (record.fault !== null || record.fields.length > 1 || record.fields[0] !== '') {
        yield record;
      }
    }
  }

  /** Null if its end has not been read yet. */
  #next(isLast: boolean): CsvRecord | null {
    const end = this.#text.indexOf('\n', this.#at);
    if (end === -1 && !isLast) return null;
    const line = this.#text.slice(this.#at, end === -1 ? undefined : end);
    if (!line.includes('"')) return this.#take(withoutReturn(line).split(this.#delimiter), end + 1);
    return this.#nextQuoted(isLast, end + 1);
  }

  #nextQuoted(isLast: boolean, nextLine: number): CsvRecord | null {
    const fields: string[] = [];
    let at = this.#at;
    for (;;) {
      const field = this.#text[at] === '"' ? this.#quoted(at) : this.#plain(at);
      const isCut = field === null || (field.end >= this.#text.length && !isLast);
      if (isCut && !isLast && this.#text.length - this.#at < MAX_RECORD) return null;
      if (field === null || isCut) return this.#faulty(nextLine, 'has a quote without its end');
      fields.push(field.value);
      at = field.end;
      if (this.#text.startsWith(this.#delimiter, at)) {
        at += this.#delimiter.length;
        continue;
      }
      if (this.#text[at] === '\r') at += 1;
      if (at >= this.#text.length || this.#text[at] === '\n') return this.#take(fields, at + 1);
      return this.#faulty(nextLine, 'has text after the end of a quote');
    }
  }

  #plain(at: number): { value: string; end: number } {
    const { length } = this.#text;
    const found = [this.#delimiter, '\n'].map((mark) => this.#text.indexOf(mark, at));
    const end = Math.min(...found.map((place) => (place === -1 ? length : place)));
    const value = this.#text.slice(at, end);
    const isEnd = this.#text[end] !== this.#delimiter;
    return { value: isEnd ? withoutReturn(value) : value, end };
  }

  /** Null if the quote does not end. */
  #quoted(start: number): { value: string; end: number } | null {
    let value = '';
    let at = start + 1;
    for (;;) {
      const quote = this.#text.indexOf('"', at);
      if (quote === -1) return null;
      value += this.#text.slice(at, quote);
      if (this.#text[quote + 1] !== '"') return { value, end: quote + 1 };
      value += '"';
      at = quote + 2;
    }
  }

  /** A faulty record is its first line: whatever follows may be sound. */
  #faulty(nextLine: number, fault: string): CsvRecord {
    const line = this.#text.slice(this.#at, nextLine === 0 ? undefined : nextLine - 1);
    return this.#take(withoutReturn(line).split(this.#delimiter), nextLine, fault);
  }

  /** A record up to `end`, 0 for that of the text. */
  #take(fields: string[], end: number, fault: string | null = null): CsvRecord {
    const record = { line: this.#line, fields, fault };
    const start = this.#at;
    this.#at = end === 0 ? this.#text.length : end;
    this.#line += linesIn(this.#text, start, this.#at);
    return record;
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines;
}
