import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { partOf, withLatest, withOlder } from '../../console/state/journal-part.ts';
import { oneAtATime } from '../../console/state/one-at-a-time.ts';
import {
  type Failure,
  type Loaded,
  type Page,
  PagedList,
  type PageRequest,
} from '../../console/state/paged-list.ts';
import { changedFields } from '../../console/text/changed-fields.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('news that come faster than answers neither pile up nor get lost', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = oneAtATime(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  for (let news = 0; news < 5; news++) ask();
  assert.equal(runs.length, 1, 'one at a time');
  runs[0]?.resolve();
  await settled();
  assert.equal(runs.length, 2, 'once more, for all that came meanwhile');
  runs[1]?.resolve();
  await settled();
  assert.equal(runs.length, 2);
  ask();
  assert.equal(runs.length, 3);
});

/** A list of numbers, ten on a page, which answers when the test says so. */
function setUp(total: number, before?: Loaded<number>) {
  const requests: (PageRequest & { run: PromiseWithResolvers<Page<number>> })[] = [];
  const seen = {
    rows: [] as number[],
    hasMore: false,
    failure: undefined as Failure | undefined,
  };
  const list = new PagedList<number>(
    {
      ask: (request) => {
        const run = Promise.withResolvers<Page<number>>();
        requests.push({ ...request, run });
        return run.promise;
      },
      rowKey: (row) => row,
      limit: 10,
    },
    {
      onRows: ({ rows, cursor }) => Object.assign(seen, { rows, hasMore: cursor !== null }),
      onFailure: (failure) => Object.assign(seen, { failure }),
    },
    before,
  );
  /** `moved` rows have come before the page since the one before it. */
  const answer = async (moved = 0): Promise<void> => {
    const { cursor, limit, run } = requests.shift() ?? assert.fail('nothing was asked for');
    const from = Number(cursor ?? 0);
    const next = Math.min(from + limit, total);
    const items = Array.from({ length: next - from }, (_, index) => from + index - moved);
    run.resolve({ items, nextCursor: next < total ? String(next) : null });
    await settled();
  };
  const fail = async (): Promise<void> => {
    requests.shift()?.run.reject(new Error('away'));
    await settled();
  };
  return { list, seen, requests, answer, fail };
}

test('a list loads a page once, however often scrolling asks for it', async () => {
  const { list, seen, requests, answer } = setUp(25);
  list.refresh();
  await answer();
  assert.deepEqual([seen.rows.length, seen.hasMore], [10, true]);
  for (let asked = 0; asked < 3; asked++) list.more();
  assert.equal(requests.length, 1);
  await answer();
  list.more();
  await answer();
  assert.deepEqual([seen.rows.at(-1), seen.hasMore], [24, false]);
  list.more();
  assert.equal(requests.length, 0, 'there is nothing more');
});

test('a list shows the first answer under load, and then the latest', async () => {
  const { list, seen, requests, answer } = setUp(5);
  for (let news = 0; news < 4; news++) list.refresh();
  assert.equal(requests.length, 1);
  await answer();
  assert.equal(seen.rows.length, 5);
  assert.equal(requests.length, 1);
  await answer();
  assert.equal(requests.length, 0);
});

test('a list does not become shorter when it is loaded anew', async () => {
  const { list, seen, requests, answer } = setUp(40);
  list.refresh();
  await answer();
  list.more();
  await answer();
  list.refresh();
  assert.equal(requests[0]?.limit, 30, 'in one call');
  await answer();
  assert.equal(seen.rows.length, 30);
  assert.equal(requests.length, 0);
});

test('a long list is loaded anew in few calls, and shown after the last of them', async () => {
  const { list, seen, requests, answer } = setUp(700);
  list.refresh();
  await answer();
  while (seen.rows.length < 600) {
    list.more();
    await answer();
  }
  list.patch((row) => row + 1_000);
  list.refresh();
  assert.equal(requests[0]?.limit, 500);
  await answer();
  assert.equal(seen.rows[0], 1_000, 'the old rows stay until all new ones are there');
  assert.equal(requests[0]?.limit, 110);
  await answer();
  assert.deepEqual([seen.rows[0], seen.rows.length], [0, 610]);
  assert.equal(requests.length, 0);
});

test('a row that comes again on a later page is in the list once', async () => {
  const { list, seen, answer } = setUp(20);
  list.refresh();
  await answer();
  list.more();
  await answer(3);
  assert.deepEqual(
    seen.rows,
    Array.from({ length: 17 }, (_, index) => index),
  );
});

test('a list goes on over pages without rows until there are some, or no more pages', async () => {
  const { list, seen, requests } = setUp(0);
  const answer = async (items: number[], nextCursor: string | null) => {
    requests.shift()?.run.resolve({ items, nextCursor });
    await settled();
  };
  list.refresh();
  await answer([], 'a');
  await answer([], 'b');
  assert.equal(requests[0]?.cursor, 'b');
  await answer([9, 8], 'c');
  assert.deepEqual([seen.rows, seen.hasMore, requests.length], [[9, 8], true, 0]);
  list.more();
  await answer([], 'd');
  assert.equal(requests[0]?.cursor, 'd');
  await answer([], null);
  assert.deepEqual([seen.rows, seen.hasMore, requests.length], [[9, 8], false, 0]);
});

test('a list pages on while it is loaded anew again and again', async () => {
  const { list, seen, requests, answer } = setUp(40);
  list.refresh();
  await answer();
  list.refresh();
  list.more();
  list.refresh();
  await answer();
  assert.equal(requests[0]?.cursor, '20');
  await answer();
  assert.equal(seen.rows.length, 30);
});

test('a list keeps what was changed while it was loaded anew', async () => {
  const { list, seen, answer } = setUp(5);
  list.refresh();
  await answer();
  list.refresh();
  list.patch((row) => (row === 2 ? null : row));
  assert.deepEqual(seen.rows, [0, 1, 3, 4]);
  await answer();
  assert.deepEqual(seen.rows, [0, 1, 3, 4], 'the answer may be older than the change');
});

test('a page that could not be loaded is asked for again, and nothing else', async () => {
  const { list, seen, requests, answer, fail } = setUp(30);
  list.refresh();
  await answer();
  list.more();
  await fail();
  assert.deepEqual([seen.failure?.error.message, seen.failure?.isOfMore], ['away', true]);
  assert.equal(seen.rows.length, 10);
  list.more();
  assert.deepEqual(
    requests.map(({ cursor }) => cursor),
    ['10'],
  );
  await answer();
  assert.equal(seen.failure, undefined);
  assert.equal(seen.rows.length, 20);
});

test('a list keeps its rows if it could not be loaded anew', async () => {
  const { list, seen, answer, fail } = setUp(30);
  list.refresh();
  await answer();
  list.refresh();
  await fail();
  assert.deepEqual([seen.failure?.isOfMore, seen.rows.length], [false, 10]);
  list.refresh();
  await answer();
  assert.deepEqual([seen.failure, seen.rows.length], [undefined, 20]);
});

test('a list that is returned to has all its rows anew, and goes on after them', async () => {
  const rows = Array.from({ length: 30 }, (_, index) => 100 + index);
  const { list, seen, requests, answer } = setUp(60, { rows, cursor: '30' });
  list.refresh();
  assert.equal(requests[0]?.limit, 40, 'in one call');
  await answer();
  list.more();
  await answer();
  assert.deepEqual([seen.rows[0], seen.rows.length, seen.hasMore], [0, 50, true]);
});

test('a list says nothing once it is not wanted any more', async () => {
  const { list, seen, answer } = setUp(5);
  list.refresh();
  list.stop();
  await answer();
  assert.deepEqual(seen, { rows: [], hasMore: false, failure: undefined });
});

describe('the part of a journal that is shown has no gaps', () => {
  /** Newest first. */
  const range = (newest: number, oldest: number) =>
    Array.from({ length: newest - oldest + 1 }, (_, index) => ({ seq: newest - index }));

  const all = (): boolean => true;
  const isRare = ({ seq }: { seq: number }): boolean => seq % 100 === 0;
  const part = (newest: number, oldest: number, isShown: typeof isRare = all) => ({
    newest,
    oldest,
    rows: range(newest, oldest).filter(isShown),
  });

  test('the latest come on top', () => {
    assert.deepEqual(withLatest(partOf([], all), range(3, 1), all), part(3, 1));
    assert.deepEqual(withLatest(part(60, 1), range(62, 3), all), part(62, 1));
    const same = part(60, 1);
    assert.equal(withLatest(same, range(60, 20), all), same, 'nothing is new');
    assert.equal(withLatest(same, [], all), same, 'nothing is known yet');
    const long = part(600, 1);
    assert.deepEqual(withLatest(long, range(601, 102), all), part(601, 482), 'not too many');
  });

  test('where few are shown, none is looked for again because others have come', () => {
    const searched = part(9_000, 1, isRare);
    assert.deepEqual(withLatest(searched, range(9_001, 8_502), isRare), part(9_001, 1, isRare));
  });

  test('if more came than are kept, it starts anew', () => {
    assert.deepEqual(withLatest(part(60, 1), range(900, 401), all), part(900, 781));
    assert.deepEqual(withLatest(part(60, 1), range(9, 1), all), part(9, 1), 'a restored journal');
  });

  test('older ones are joined below, unless the rows have changed meanwhile', () => {
    assert.deepEqual(withOlder(part(60, 31), part(30, 11)), part(60, 11));
    assert.deepEqual(withOlder(part(600, 501, isRare), part(500, 1, isRare)), part(600, 1, isRare));
    const changed = part(900, 401);
    assert.equal(withOlder(changed, part(30, 11)), changed);
  });
});

test('only what was changed is sent', () => {
  const before = { name: 'Acme', transfers: true, siteUrl: '' };
  assert.deepEqual(changedFields(before, { name: 'Acme', transfers: false }), { transfers: false });
  assert.deepEqual(changedFields(before, {}), {});
});
