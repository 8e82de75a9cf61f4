import type { Kind, Member } from '@realmkeep/client';
import { memberFile } from '../text/csv.ts';
import { MAX_PAGE } from './limits.ts';
import { given } from './service.ts';

export type Ask = (request: { cursor?: string; limit: number; signal: AbortSignal }) => Promise<{
  items: Member[];
  nextCursor: string | null;
}>;

/** The members of a list as the lines of a file. What a failure has interrupted can be run again. */
export class MemberExport {
  readonly lines: string[];
  readonly #ask: Ask;
  readonly #lineOf: ReturnType<typeof memberFile>['lineOf'];
  /** Of the next page; null after the last one. */
  #cursor: string | null = '';

  constructor(ask: Ask, kinds: Kind[]) {
    const { header, lineOf } = memberFile(kinds);
    this.lines = [header];
    this.#ask = ask;
    this.#lineOf = lineOf;
  }

  get count(): number {
    return this.lines.length - 1;
  }

  /** Goes on with the page that is missing. */
  async run(signal: AbortSignal, onPage: () => void): Promise<void> {
    while (this.#cursor !== null) {
      const asked = { ...given({ cursor: this.#cursor }), limit: MAX_PAGE, signal };
      const { items, nextCursor } = await this.#ask(asked);
      for (const member of items) this.lines.push(this.#lineOf(member));
      this.#cursor = nextCursor;
      onPage();
    }
  }
}
