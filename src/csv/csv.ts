/**
 * Spreadsheets run text that begins like this as a formula, and a cell of blanks is an empty one,
 * so in CSV files no name may be like that. Nor may what follows a semicolon, a tab or a line
 * break: where a comma is the decimal mark, a cell begins there, in quotes or not. An apostrophe in
 * front makes it text; importing removes the apostrophe again.
 */
const FORMULA = ['(?<=^|[;\\t\\r\\n])', "(?='*[=+\\-@\\t\\r])"] as const;
const BLANK = ['^', "(?=[\\s']*$)(?='*\\s)"] as const;
const UNGUARDED = new RegExp([FORMULA, BLANK].map((one) => one.join('')).join('|'), 'g');
const GUARDED = new RegExp([FORMULA, BLANK].map((one) => one.join("'")).join('|'), 'g');

export const guarded = (text: string): string => text.replaceAll(UNGUARDED, "'");

export const unguarded = (text: string): string => text.replaceAll(GUARDED, '');

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

/** Text in quotes, in which two quotes are one. */
const QUOTED = '"([^"]*(?:""[^"]*)*)"';
const CLOSED = new RegExp(`${QUOTED}(?!")`, 'y');

const DELIMITERS = [',', ';', '\t'];

/** What separates the first line: spreadsheets write ";" where a comma is the decimal mark. */
export function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string): number => plain.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

/**
 * Reads CSV by RFC 4180, given in pieces. More lenient: lines may end with LF alone, and a quote
 * inside an unquoted field is a character. Empty lines, and rows of blank cells, are left out.
 */
export class CsvReader {
  readonly #delimiter: string;
  /** A field, in quotes or plain, and what ends it. */
  readonly #field: RegExp;
  #text = '';
  #at = 0;
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    const plain = `(?!")([^${delimiter}\\n]*)`;
    this.#field = new RegExp(`(?:${QUOTED}|${plain})(${delimiter}|\\r?\\n|\\r?$)`, 'y');
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
      if (record.fault !== null || record.fields.some((field) => field.trim() !== '')) yield record;
    }
  }

  /** Null if its end has not been read yet. A faulty record is its first line. */
  #next(isLast: boolean): CsvRecord | null {
    const found = this.#text.indexOf('\n', this.#at);
    if (found === -1 && !isLast) return null;
    const end = found === -1 ? this.#text.length : found;
    const line = withoutReturn(this.#text.slice(this.#at, end));
    const fields = line.split(this.#delimiter);
    if (!line.includes('"')) return this.#take(fields, end + 1);
    const quoted = this.#quotedFields(isLast);
    if (typeof quoted === 'string') return this.#take(fields, end + 1, quoted);
    return quoted && this.#take(quoted, this.#field.lastIndex);
  }

  /** The fields of a record with quotes, or its fault; null if its end has not been read yet. */
  #quotedFields(isLast: boolean): string[] | string | null {
    const fields: string[] = [];
    this.#field.lastIndex = this.#at;
    for (;;) {
      CLOSED.lastIndex = this.#field.lastIndex;
      const [whole, quoted, plain = '', mark = ''] = this.#field.exec(this.#text) ?? [];
      if (whole === undefined && CLOSED.test(this.#text)) {
        return 'has text after the end of a quote';
      }
      const isEnd = mark.endsWith('\n') || (isLast && whole !== undefined);
      if (mark !== this.#delimiter && !isEnd) {
        const isShort = this.#text.length - this.#at < MAX_RECORD;
        return isShort && !isLast ? null : 'has a quote without its end';
      }
      const value = mark === this.#delimiter ? plain : withoutReturn(plain);
      fields.push(quoted?.replaceAll('""', '"') ?? value);
      if (mark !== this.#delimiter) return fields;
    }
  }

  #take(fields: string[], end: number, fault: string | null = null): CsvRecord {
    const record = { line: this.#line, fields, fault };
    const start = this.#at;
    this.#at = Math.min(end, this.#text.length);
    this.#line += this.#text.slice(start, this.#at).split('\n').length - 1;
    return record;
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
