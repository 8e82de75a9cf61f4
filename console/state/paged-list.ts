import { MAX_PAGE } from '../api/limits.ts';

export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

/** What a list of the client is asked for a page by. */
export interface PageRequest {
  cursor?: string;
  limit: number;
  signal: AbortSignal;
}

export interface Source<Row> {
  ask: (request: PageRequest) => Promise<Page<Row>>;
  rowKey: (row: Row) => string | number;
  /** How many rows scrolling asks for. */
  limit: number;
}

/** Changes a row; null leaves it out. */
export type Change<Row> = (row: Row) => Row | null;

export interface Failure {
  error: Error;
  /** Whether a further page has failed, rather than the list. */
  isOfMore: boolean;
}

/** The rows of the pages that are loaded. */
export interface Loaded<Row> {
  rows: Row[];
  /** Of the next page; null after the last one. */
  cursor: string | null;
}

interface Reports<Row> {
  onRows: (loaded: Loaded<Row>) => void;
  /** `undefined` if the last request has not failed. */
  onFailure: (failure: Failure | undefined) => void;
}

/** The rows of a list that are loaded, page by page and with one request at a time. */
export class PagedList<Row> {
  readonly #source: Source<Row>;
  readonly #reports: Reports<Row>;
  readonly #abort = new AbortController();
  #rows: Row[];
  #cursor: string | null;
  #wantsRefresh = false;
  /** Scrolling asks for the next page many times. */
  #wantsMore = false;
  #isRunning = false;
  /** What came while rows are being loaded anew, whose answer may be older. */
  #changes: Change<Row>[] | null = null;

  /** It may begin with what was loaded before. */
  constructor(source: Source<Row>, reports: Reports<Row>, before?: Loaded<Row>) {
    this.#source = source;
    this.#reports = reports;
    this.#rows = before?.rows ?? [];
    this.#cursor = before?.cursor ?? null;
  }

  /** Loads the first page or, later, as many rows anew as there are: the list does not jump. */
  refresh(): void {
    this.#wantsRefresh = true;
    void this.#run();
  }

  more(): void {
    if (this.#cursor === null || this.#wantsMore) return;
    this.#wantsMore = true;
    void this.#run();
  }

  /** Changes rows where they are. */
  patch(change: Change<Row>): void {
    this.#changes?.push(change);
    if (this.#rows.length === 0) return;
    this.#rows = patched(this.#rows, [change]);
    this.#report();
  }

  /** Nothing is reported from now on. */
  stop(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // In turns, so that under load neither keeps the other from being done.
    let wasRefresh = false;
    try {
      while (this.#wantsRefresh || this.#wantsMore) {
        wasRefresh = this.#wantsRefresh && !(this.#wantsMore && wasRefresh);
        await (wasRefresh ? this.#loadAnew() : this.#loadMore());
        this.#reports.onFailure(undefined);
        this.#report();
      }
    } catch (error) {
      this.#wantsMore = false;
      const failure = { error: error as Error, isOfMore: !wasRefresh };
      if (!this.#abort.signal.aborted) this.#reports.onFailure(failure);
    } finally {
      this.#isRunning = false;
      this.#changes = null;
    }
  }

  async #loadAnew(): Promise<void> {
    this.#wantsRefresh = false;
    this.#changes = [];
    const { limit } = this.#source;
    const wanted = Math.max(1, this.#rows.length);
    let rows: Row[] = [];
    let cursor: string | null = null;
    do {
      // A page more: new rows on top must not push the last ones out.
      const atOnce = Math.min(MAX_PAGE, this.#rows.length - rows.length + limit);
      const page: Page<Row> = await this.#page(cursor, atOnce);
      rows = this.#joined(rows, page.items);
      cursor = page.nextCursor;
    } while (rows.length < wanted && cursor !== null);
    this.#rows = patched(rows, this.#changes);
    this.#changes = null;
    this.#cursor = cursor;
  }

  /** A search, or a list by status, may find nobody on a page, and go on. */
  async #loadMore(): Promise<void> {
    const before = this.#rows.length;
    while (this.#cursor !== null && this.#rows.length <= before) {
      const { items, nextCursor } = await this.#page(this.#cursor, this.#source.limit);
      this.#rows = this.#joined(this.#rows, items);
      this.#cursor = nextCursor;
    }
    this.#wantsMore = false;
  }

  /** In an order that changes meanwhile, a row may come again on a later page. */
  #joined(rows: Row[], items: Row[]): Row[] {
    const { rowKey } = this.#source;
    const known = new Set(rows.map(rowKey));
    return [...rows, ...items.filter((item) => !known.has(rowKey(item)))];
  }

  async #page(cursor: string | null, limit: number): Promise<Page<Row>> {
    const { signal } = this.#abort;
    const page = await this.#source.ask({ ...(cursor !== null && { cursor }), limit, signal });
    signal.throwIfAborted();
    return page;
  }

  #report(): void {
    if (this.#abort.signal.aborted) return;
    this.#reports.onRows({ rows: this.#rows, cursor: this.#cursor });
  }
}

const patched = <Row>(rows: Row[], changes: Change<Row>[]): Row[] =>
  changes.reduce((before, change) => before.map(change).filter((row) => row !== null), rows);
