import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastify from 'fastify';
import type { TSchema } from 'typebox';
import { operations } from '../../src/contract/operations.ts';
import { Type } from '../../src/contract/type.ts';
import { longListOf, sendList } from '../../src/http/long-answers.ts';

const schema = Type.Object({
  message: Type.String(),
  items: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
});

/** The same body, serialised as a whole and item by item. */
async function answersTo(body: object, described: TSchema = schema): Promise<[string, string]> {
  const app = fastify();
  const list = longListOf(described);
  assert.ok(list);
  const response = { 200: described };
  app.get('/whole', { schema: { response } }, () => body);
  app.get('/items', { schema: { response } }, async (request, reply) => {
    await sendList(reply, list, body, 'r', request.raw.socket);
    return reply;
  });
  const [whole, items] = await Promise.all([app.inject('/whole'), app.inject('/items')]);
  assert.equal(items.headers['content-type'], whole.headers['content-type']);
  assert.equal(items.headers['content-length'], whole.headers['content-length']);
  await app.close();
  return [whole.payload, items.payload];
}

test('an answer serialised item by item is the answer serialised as a whole', async () => {
  const item = { id: '"items":[]', text: 'é😀"\\', unknown: 1 };
  for (const [count, length] of [
    [0, 0],
    [1, 1],
    [3, 200_000],
    [10_000, 30],
  ] as const) {
    const items = Array.from({ length: count }, () => ({
      ...item,
      text: item.text.repeat(length),
    }));
    const [whole, answer] = await answersTo({ message: '"items":[]', items, nextCursor: null });
    assert.ok(whole === answer, `${count} items of ${length}`);
    const [wholeList, list] = await answersTo(items, schema.properties.items);
    assert.ok(wholeList === list, `${count} of ${length} in a bare list`);
  }
});

test('only lists that may be long are serialised item by item', () => {
  assert.equal(longListOf(Type.Object({ wallets: Type.Array(Type.String()) })), null);
  assert.equal(longListOf(null), null);
  // 92 days with 50 balances each are 200 kB.
  assert.equal(longListOf(operations.getBalanceHistory.answer.schema)?.name, 'days');
});
