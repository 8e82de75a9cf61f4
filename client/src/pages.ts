/**
 * A list. Awaited, it is its first page as the service answers it. In `for await`, it is all items
 * of all pages, each of which is fetched when its turn comes.
 */
export interface Pages<Item, Page> extends Promise<Page>, AsyncIterable<Item> {}

export function pagesOf<Item, Page, Fields extends object>(
  fields: Fields,
  fetchPage: (fields: Fields) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
  nextOf: (page: Page, fields: Fields) => Partial<Fields> | null,
): Pages<Item, Page> {
  const first = fetchPage(fields);
  async function* items(): AsyncGenerator<Item> {
    let current = fields;
    for (let page = await first; ; page = await fetchPage(current)) {
      yield* itemsOf(page);
      const next = nextOf(page, current);
      if (next === null) return;
      current = { ...current, ...next };
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
