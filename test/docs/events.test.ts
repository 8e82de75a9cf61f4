import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTypes } from '../../src/contract/event-types.ts';
import { pages, tablesOf } from './pages.ts';

test('docs/events.md has every type of event, with what it reports and an example', () => {
  const page = pages.find(({ path }) => path === 'docs/events.md');
  assert.ok(page);
  const declared = Object.entries(eventTypes).map(([type, { summary, example }]) => ({
    type: `\`${type}\``,
    'what happened': summary,
    '`data`, for example': `\`${JSON.stringify(example)}\``,
  }));
  assert.deepEqual(tablesOf(page, 'type'), [declared]);
});

test('the consumer of docs/events.md has some thirty lines', () => {
  const page = pages.find(({ path }) => path === 'docs/events.md');
  const consumer = page?.blocks.find(({ words }) => words.includes('balances.mjs'));
  const lines = consumer?.text.split('\n').filter((line) => /\w/.test(line)) ?? [];
  assert.ok(lines.length > 0 && lines.length <= 32, `${lines.length} lines of code`);
});
