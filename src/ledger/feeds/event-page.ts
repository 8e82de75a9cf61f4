import { wholeData } from '../../domain/records.ts';
import type { JournalRecord } from '../../domain/rules/journal.ts';
import { iso } from '../../domain/rules/time.ts';

/** Selects events by their types. */
export class EventFilter {
  /** The same for all filters that select the same; '' for one that selects everything. */
  readonly key: string;
  /** Null for one that selects everything. */
  readonly types: ReadonlySet<string> | null;

  /** The types as in a query: separated by commas, or a list of such texts. None selects all. */
  constructor(types?: string | readonly string[]) {
    const all = types === undefined ? null : [types].flat().flatMap((text) => text.split(','));
    this.types = all && new Set(all);
    this.key = [...(this.types ?? [])].sort().join(',');
  }

  admits(type: string): boolean {
    return this.types === null || this.types.has(type);
  }
}

/** What a subscriber is sent of a page. */
interface Selection {
  /** Null if there is nothing for it. */
  bytes: Buffer | null;
  events: number;
}

/**
 * Records of a journal, in order, as text of a stream of server-sent events. However many
 * subscribers there are, each record is serialised once, and equal selections are one buffer.
 */
export class EventPage {
  readonly records: readonly JournalRecord[];
  readonly #blocks: string[] = [];
  readonly #selections = new Map<string, Selection>();

  /** At least one record. */
  constructor(records: readonly JournalRecord[]) {
    this.records = records;
  }

  get lastSeq(): number {
    return this.records.at(-1)?.seq ?? 0;
  }

  /** What the filter admits of the records after a position. */
  select(filter: EventFilter, after: number): Selection {
    if (after >= (this.records[0]?.seq ?? 0)) return this.#selectAnew(filter, after);
    return this.#selections.getOrInsertComputed(filter.key, () => this.#selectAnew(filter, after));
  }

  #selectAnew(filter: EventFilter, after: number): Selection {
    let text = '';
    let events = 0;
    for (const [index, record] of this.records.entries()) {
      if (record.seq <= after || !filter.admits(record.type)) continue;
      this.#blocks[index] ??= eventBlock(record);
      text += this.#blocks[index];
      events += 1;
    }
    return { bytes: events === 0 ? null : Buffer.from(text), events };
  }
}

/** One event of a stream. Its data is JSON without line breaks, and so is that of the record. */
function eventBlock(record: JournalRecord): string {
  return `id: ${record.seq}\nevent: ${record.type}\ndata: ${eventText(record)}\n\n`;
}

/** An event as the feed gives it. The data of a record is JSON already, and stays as it is. */
export function eventText(record: Omit<JournalRecord, 'hash'>): string {
  const { seq, type, at, actor } = record;
  const { data, onBehalfOf } = dataOf(record);
  return (
    `{"seq":${seq},"type":${JSON.stringify(type)},"at":"${iso(at)}",` +
    `"actor":${JSON.stringify(actor)},` +
    (onBehalfOf === undefined ? '' : `"onBehalfOf":${JSON.stringify(onBehalfOf)},`) +
    `"data":${data}}`
  );
}

/** On whose behalf it was stands beside the actor. Few records say it, and only they are parsed. */
function dataOf(record: Omit<JournalRecord, 'hash'>): { data: string; onBehalfOf?: string } {
  const text = wholeData(record);
  if (!text.includes('"onBehalfOf":')) return { data: text };
  const { onBehalfOf, ...data } = JSON.parse(text);
  return { data: JSON.stringify(data), onBehalfOf };
}
