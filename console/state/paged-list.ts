interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

export type Ask<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

/** Changes a row; null leaves it out. */
export type Change<Row> = (row: Row) => Row | null;

interface Reports<Row> {
  onRows: (rows: Row[], hasMore: boolean) => void;
  /** `undefined` if the last request has not failed. */
  onError: (error: Error | undefined) => void;
}

/** The rows of a list that are loaded, page by page and with one request at a time. */
export class PagedList<Row> {
  readonly #ask: Ask<Row>;
  readonly #reports: Reports<Row>;
  readonly #abort = new AbortController();
  #rows: Row[] = [];
  #cursor: string | null = null;
  #wantsRefresh = false;
  /** Scrolling asks for the next page many times; it stays wanted if it could not be loaded. */
  #wantsMore = false;
  #isRunning = false;
  /** What came while rows are being loaded anew, whose answer may be older. */
  #changes: Change<Row>[] | null = null;

  constructor(ask: Ask<Row>, reports: Reports<Row>) {
    this.#ask = ask;
    this.#reports = reports;
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
        this.#reports.onError(undefined);
        this.#report();
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#reports.onError(error as Error);
    } finally {
      this.#isRunning = false;
      this.#changes = null;
    }
  }

  async #loadAnew(): Promise<void> {
    this.#wantsRefresh = false;
    this.#changes = [];
    const wanted = Math.max(1, this.#rows.length);
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const page: Page<Row> = await this.#page(cursor ?? undefined);
      rows.push(...page.items);
      cursor = page.nextCursor;
    } while (rows.length < wanted && cursor !== null);
    this.#rows = patched(rows, this.#changes);
    this.#changes = null;
    this.#cursor = cursor;
  }

  /** A search may find nobody on a page, and go on. */
  async #loadMore(): Promise<void> {
    while (this.#cursor !== null) {
      const { items, nextCursor } = await this.#page(this.#cursor);
      this.#rows = [...this.#rows, ...items];
      this.#cursor = nextCursor;
      if (items.length > 0) break;
    }
    this.#wantsMore = false;
  }

  async #page(cursor: string | undefined): Promise<Page<Row>> {
    const { signal } = this.#abort;
    const page = await this.#ask(cursor, signal);
    signal.throwIfAborted();
    return page;
  }

  #report(): void {
    if (!this.#abort.signal.aborted) this.#reports.onRows(this.#rows, this.#cursor !== null);
  }
}

const patched = <Row>(rows: Row[], changes: Change<Row>[]): Row[] =>
  changes.reduce((before, change) => before.map(change).filter((row) => row !== null), rows);
