import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OperatorError } from '../../config/operator-error.ts';
import { readJson } from '../../contract/json.ts';
import { CsvReader, type CsvRecord, csvLine, delimiterOf, guarded } from '../../csv/csv.ts';
import { type Body, type Columns, isObject, REFUSED_COLUMNS } from '../../csv/members.ts';
import { linesOf } from '../lines.ts';
import { counted } from '../terminal.ts';
import { bodyOfObject, bodyOfRecord, type ColumnFinder } from './columns.ts';

/** A row of a file, with its member as far as it can be read. */
export interface SourceRow {
  line: number;
  /** Of its text in the file. */
  length: number;
  body: Body;
  fault: string | null;
  /** As text for the file of refused rows, which can be corrected and imported. */
  refused(reason: string): string;
}

/** A file that is read from its beginning to its end, once. */
export abstract class Source {
  readonly size: number;
  /** Including those of the rows that come next. */
  bytesRead = 0;
  /** The columns that were found, and those that are not used. */
  readonly used = new Map<string, string>();
  readonly ignored = new Set<string>();
  protected readonly file: string;
  protected readonly finder: ColumnFinder;

  constructor(file: string, size: number, finder: ColumnFinder) {
    this.file = file;
    this.size = size;
    this.finder = finder;
  }

  /** Some rows at a time. */
  abstract rows(): AsyncGenerator<SourceRow[]>;

  /** What comes before the first refused row. */
  get refusedHeader(): string {
    return '';
  }

  protected note({ sources, ignored }: Columns): void {
    for (const [field, column] of sources) this.used.set(field, column);
    for (const name of ignored) if (!REFUSED_COLUMNS.includes(name)) this.ignored.add(name);
  }

  /** What is wrong with a value, in the words of the file. */
  inWords(detail: string): string {
    return detail;
  }

  protected unusable(sentence: string): OperatorError {
    return new OperatorError('file-unusable', `${this.file} ${sentence}`);
  }

  protected refuseLong(line: number, length: number, advice: string): void {
    if (length <= MAX_LINE) return;
    const found = `Line ${line} of ${this.file} has more than ${MAX_LINE / 1e6} MB`;
    throw new OperatorError('file-unusable', `${found}. ${advice}`);
  }

  protected async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.file, { highWaterMark: CHUNK })) {
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }
}

const CHUNK = 262_144;
/** No member is that long: all of the file is in one line. */
const MAX_LINE = 4_000_000;

export async function openSource(file: string, finder: ColumnFinder): Promise<Source> {
  const found = await stat(file);
  if (!found.isFile()) throw new OperatorError('file-unusable', noFile(file, found));
  const { size } = found;
  return /\.(ndjson|jsonl)$/i.test(file)
    ? new NdjsonSource(file, size, finder)
    : new CsvSource(file, size, finder);
}

/** A pipe would be empty when it is read a second time. */
const noFile = (file: string, found: Stats): string =>
  found.isDirectory()
    ? `${file} is a folder. Name a file in it.`
    : `${file} is not a regular file, and an import may read it twice. Save it as a file first.`;

class CsvSource extends Source {
  #delimiter = ',';
  #header: string[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  #columns: Columns | null = null;

  async *rows(): AsyncGenerator<SourceRow[]> {
    const { hasLineFeeds } = await this.#inspect();
    const decoder = new TextDecoder();
    let reader: CsvReader | undefined;
    for await (const chunk of this.chunks()) {
      const decoded = decoder.decode(chunk, STREAM);
      // Old programs on Macs end lines with a carriage return alone.
      const text = hasLineFeeds ? decoded : decoded.replaceAll('\r', '\n');
      if (reader === undefined) {
        this.#refuseJson(text);
        this.#delimiter = delimiterOf(/^[^\n]*/.exec(text)?.[0] ?? '');
        reader = new CsvReader(this.#delimiter);
      }
      yield this.#rowsOf(reader.read(text, false));
      const { line, length } = reader.unfinished;
      this.refuseLong(line, length, 'End each line of a CSV file with a line feed (LF or CRLF).');
    }
    if (reader) yield this.#rowsOf(reader.read('', true));
    if (this.#columns === null) throw this.unusable(EMPTY);
  }

  /** Cells are text: that JSON has other numbers is of no help with `1.250`. */
  override inWords(detail: string): string {
    return detail.replace('a JSON integer', 'a whole number without separators, such as 1250,');
  }

  /** By its beginning, since its header would be all of its text. */
  #refuseJson(text: string): void {
    if (!/^\s*(\[\s*[{\]]|\{\s*["}])/.test(text)) return;
    const advice = 'Write one object per line, in a file whose name ends with .ndjson.';
    throw this.unusable(`is JSON, not CSV. ${advice}`);
  }

  override get refusedHeader(): string {
    const own = this.#header.filter((name) => !REFUSED_COLUMNS.includes(name));
    return csvLine([...REFUSED_COLUMNS, ...own], this.#delimiter);
  }

  /** Found before anything is written: other encodings would change names without a word. */
  async #inspect(): Promise<{ hasLineFeeds: boolean }> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let hasLineFeeds = false;
    try {
      for await (const chunk of createReadStream(this.file)) {
        decoder.decode(chunk, STREAM);
        hasLineFeeds ||= chunk.includes(LINE_FEED);
      }
      decoder.decode();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw this.unusable(NOT_UTF8);
    }
    return { hasLineFeeds };
  }

  #rowsOf(records: Iterable<CsvRecord>): SourceRow[] {
    const rows: SourceRow[] = [];
    for (const record of records) {
      if (this.#columns === null) {
        // UTF-16 of plain letters is UTF-8 with U+0000 between them.
        if (record.fields.some((name) => name.includes('\0'))) throw this.unusable(NOT_UTF8);
        if (record.fault !== null) throw this.#headerFault(record.fault);
        this.#header = record.fields.map((name) => name.trim());
        this.#places = new Map(this.#header.map((name, index) => [name, index]));
        this.#columns = this.finder.findInHeader(this.#header);
        this.note(this.#columns);
      } else rows.push(this.#rowOf(record, this.#columns));
    }
    return rows;
  }

  #headerFault(fault: string): OperatorError {
    return new OperatorError('file-unusable', `The header of ${this.file} ${fault}. Correct it.`);
  }

  #rowOf({ line, fields, fault }: CsvRecord, columns: Columns): SourceRow {
    const refused = (reason: string): string => {
      const own = fields.filter((_, index) => !REFUSED_COLUMNS.includes(this.#header[index] ?? ''));
      return csvLine([String(line), guarded(reason), ...own], this.#delimiter);
    };
    const length = fields.reduce((sum, field) => sum + field.length, fields.length);
    const found = fault ?? this.#faultOf(fields);
    if (found !== null) return { line, length, body: {}, fault: found, refused };
    const read = (column: string) => fields[this.#places.get(column) ?? -1] ?? '';
    return { line, length, body: bodyOfRecord(columns, read), fault: null, refused };
  }

  #faultOf(fields: readonly string[]): string | null {
    const [own, all] = [fields.length, this.#header.length];
    if (own !== all) return `has ${counted(own, 'field')}, but the header has ${all}`;
    return fields.some((field) => field.includes('\0')) ? 'contains U+0000' : null;
  }
}

const NOT_UTF8 = 'is not UTF-8. Save it as "CSV UTF-8", or convert it with iconv.';
const EMPTY = 'is empty.';
const STREAM = { stream: true };
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = '\u{feff}';
/** Rows whose keys differ are mapped each on their own; few files have more kinds of rows. */
const MAX_SHAPES = 1_000;

class NdjsonSource extends Source {
  readonly #columns = new Map<string, Columns>();
  #line = 0;

  async *rows(): AsyncGenerator<SourceRow[]> {
    for await (const lines of linesOf(this.chunks(), MAX_LINE)) {
      const rows: SourceRow[] = [];
      for (const line of lines) {
        this.#line += 1;
        this.refuseLong(this.#line, line.length, 'Write one JSON object per line.');
        const isMarked = this.#line === 1 && line.toString('utf8', 0, 3) === BYTE_ORDER_MARK;
        const text = isMarked ? line.subarray(3) : line;
        if (text.toString('latin1').trim() !== '') rows.push(this.#rowOf(text));
      }
      yield rows;
    }
    if (this.bytesRead === 0) throw this.unusable(EMPTY);
  }

  #rowOf(bytes: Buffer): SourceRow {
    const line = this.#line;
    const { length } = bytes;
    const refused = (reason: string): string => refusedObject(line, reason, bytes.toString());
    const faulty = (fault: string) => ({ line, length, body: {}, fault, refused });
    try {
      const value = readJson(bytes);
      if (!isObject(value)) return faulty('is not a JSON object');
      const columns = this.#columnsOf(Object.keys(value));
      return { line, length, body: bodyOfObject(columns, value), fault: null, refused };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return faulty(`is not JSON: ${error.message.replace(/\.$/, '')}`);
    }
  }

  #columnsOf(names: string[]): Columns {
    const shape = JSON.stringify(names);
    const known = this.#columns.get(shape);
    if (known) return known;
    const columns = this.finder.find(names);
    this.note(columns);
    if (this.#columns.size < MAX_SHAPES) this.#columns.set(shape, columns);
    return columns;
  }
}

const REFUSED_BEFORE = /^\s*\{"refusedLine":\d+,"refusedReason":"(?:[^"\\]|\\.)*",?/;

/** The row with its line and reason in front, or as text if it is not an object. */
function refusedObject(line: number, reason: string, text: string): string {
  const start = `{"refusedLine":${line},"refusedReason":${JSON.stringify(reason)}`;
  const row = text.trim().replace(REFUSED_BEFORE, '{');
  const isFilled = /^\{\s*"/.test(row);
  return isFilled && row.endsWith('}')
    ? `${start},${row.slice(1)}\n`
    : `${start},"text":${JSON.stringify(text)}}\n`;
}
