import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '../../config/operator-error.ts';
import { readJson } from '../../contract/bodies.ts';
import { CsvReader, type CsvRecord, csvLine, delimiterOf, guarded } from '../../csv/csv.ts';
import { type Body, type Columns, isObject, REFUSED_COLUMNS } from '../../csv/members.ts';
import { linesOf } from '../output.ts';
import { counted } from '../terminal.ts';
import {
  bodyOfObject,
  bodyOfRecord,
  columnsOf,
  columnsOfHeader,
  type Fields,
  type FoundColumns,
} from './columns.ts';

/** A row of a file, with its member as far as it can be read. */
export interface SourceRow {
  line: number;
  body: Body;
  fault: string | null;
  /** As text for the file of refused rows, which can be corrected and imported. */
  refused(reason: string): string;
}

/** A file that is read from its beginning to its end, once. */
export abstract class Source implements FoundColumns {
  readonly size: number;
  /** Including those of the rows that come next. */
  bytesRead = 0;
  /** The columns that were found, those that are not used, and those that may be the balance. */
  readonly used = new Map<string, string>();
  readonly ignored = new Set<string>();
  readonly undecided = new Set<string>();
  protected readonly file: string;
  protected readonly fields: Fields;

  constructor(file: string, fields: Fields) {
    const found = statSync(file);
    this.file = file;
    this.size = found.size;
    this.fields = fields;
    if (!found.isFile()) throw this.unusable('is not a regular file. Save it as one first.');
  }

  abstract rows(): AsyncGenerator<SourceRow[]>;

  /** What comes before the first refused row. */
  get refusedHeader(): string {
    return '';
  }

  protected note({ sources, ignored, undecided }: Columns): void {
    for (const [field, column] of sources) this.used.set(field, column);
    for (const name of undecided) this.undecided.add(name);
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
    for await (const chunk of createReadStream(this.file)) {
      this.bytesRead += chunk.length;
      yield chunk;
    }
  }
}

/** No member is that long: all of the file is in one line. */
const MAX_LINE = 4_000_000;

export const openSource = (file: string, fields: Fields): Source =>
  /\.(ndjson|jsonl)$/i.test(file) ? new NdjsonSource(file, fields) : new CsvSource(file, fields);

class CsvSource extends Source {
  #delimiter = ',';
  #header: string[] = [];
  #places: ReadonlyMap<string, number> = new Map();
  #columns: Columns | null = null;

  async *rows(): AsyncGenerator<SourceRow[]> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let reader: CsvReader | undefined;
    let lineEnd = '\n';
    for await (const chunk of this.chunks()) {
      const decoded = this.#decoded(() => decoder.decode(chunk, { stream: true }));
      // Old programs on Macs end lines with a carriage return alone.
      if (reader === undefined && !decoded.includes('\n')) lineEnd = '\r';
      const text = lineEnd === '\n' ? decoded : decoded.replaceAll(lineEnd, '\n');
      if (reader === undefined) {
        this.#refuseJson(text);
        this.#delimiter = delimiterOf(/^[^\n]*/.exec(text)?.[0] ?? '');
        reader = new CsvReader(this.#delimiter);
      }
      yield this.#rowsOf(reader.read(text, false));
      const { line, length } = reader.unfinished;
      this.refuseLong(line, length, 'End each line of a CSV file with a line feed (LF or CRLF).');
    }
    const rest = this.#decoded(() => decoder.decode());
    if (reader) yield this.#rowsOf(reader.read(rest, true));
    if (this.#columns === null) throw this.unusable(EMPTY);
  }

  /** Another encoding would change names without a word. */
  #decoded(decode: () => string): string {
    try {
      return decode();
    } catch {
      throw this.unusable(NOT_UTF8);
    }
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

  #rowsOf(records: Iterable<CsvRecord>): SourceRow[] {
    const rows: SourceRow[] = [];
    for (const record of records) {
      if (this.#columns === null) {
        // UTF-16 of plain letters is UTF-8 with U+0000 between them.
        if (record.fields.some((name) => name.includes('\0'))) throw this.unusable(NOT_UTF8);
        if (record.fault !== null) throw this.unusable(`has a faulty header: it ${record.fault}.`);
        this.#header = record.fields.map((name) => name.trim());
        this.#places = new Map(this.#header.map((name, index) => [name, index]));
        this.#columns = columnsOfHeader(this.#header, this.fields);
        this.note(this.#columns);
      } else rows.push(this.#rowOf(record, this.#columns));
    }
    return rows;
  }

  #rowOf({ line, fields, fault }: CsvRecord, columns: Columns): SourceRow {
    const refused = (reason: string): string => {
      const own = fields.filter((_, index) => !REFUSED_COLUMNS.includes(this.#header[index] ?? ''));
      return csvLine([String(line), guarded(reason), ...own], this.#delimiter);
    };
    const found = fault ?? this.#faultOf(fields);
    if (found !== null) return { line, body: {}, fault: found, refused };
    const read = (column: string) => fields[this.#places.get(column) ?? -1] ?? '';
    return { line, body: bodyOfRecord(columns, read), fault: null, refused };
  }

  #faultOf(fields: readonly string[]): string | null {
    const [own, all] = [fields.length, this.#header.length];
    if (own !== all) return `has ${counted(own, 'field')}, but the header has ${all}`;
    return fields.some((field) => field.includes('\0')) ? 'contains U+0000' : null;
  }
}

const NOT_UTF8 = 'is not UTF-8. Save it as "CSV UTF-8", or convert it with iconv.';
const EMPTY = 'is empty.';
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
    const refused = (reason: string): string => refusedObject(line, reason, bytes.toString());
    const faulty = (fault: string) => ({ line, body: {}, fault, refused });
    try {
      const value = readJson(bytes);
      if (!isObject(value)) return faulty('is not a JSON object');
      const columns = this.#columnsOf(Object.keys(value));
      return { line, body: bodyOfObject(columns, value), fault: null, refused };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return faulty(`is not JSON: ${error.message.replace(/\.$/, '')}`);
    }
  }

  #columnsOf(names: string[]): Columns {
    const shape = JSON.stringify(names);
    const known = this.#columns.get(shape);
    if (known) return known;
    const columns = columnsOf(names, this.fields);
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
