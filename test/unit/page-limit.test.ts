import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as console from '../../console/api/limits.ts';
import { openApiDocument } from '../../scripts/openapi/document.ts';
import { operations } from '../../src/contract/operations.ts';
import { DEFAULT_PAGE, MAX_PAGE } from '../../src/contract/pages.ts';
import { requestCheck } from '../../src/contract/validation.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/interface.md'), 'utf8');

test('the most rows of a page are those of the contract, wherever they are told', () => {
  const rows = /^\| a page of a list \| 1 to (\d+) rows, (\d+) by default;/m.exec(page) ?? [];
  assert.deepEqual(rows.slice(1).map(Number), [MAX_PAGE, DEFAULT_PAGE]);
  assert.equal(console.MAX_PAGE, MAX_PAGE);
  const told = JSON.stringify(openApiDocument()).matchAll(/The most rows of a page, 1 to (\d+)\./g);
  assert.deepEqual(new Set(Array.from(told, ([, most]) => Number(most))), new Set([MAX_PAGE]));
});

test('a page has 1 to so many rows', () => {
  const check = requestCheck(operations.listMembers);
  const ask = (limit: string) =>
    check({ params: { realmID: 'acme' }, query: { limit }, headers: {}, body: undefined });
  for (const limit of ['1', '99', '499', `${MAX_PAGE}`]) ask(limit);
  for (const limit of [
    '0',
    '',
    '01',
    '1.0',
    '1e2',
    '-1',
    ' 1',
    `${MAX_PAGE + 1}`,
    '9'.repeat(30),
  ]) {
    assert.throws(() => ask(limit), /limit must be an integer from 1 to 500\.$/, limit);
  }
});
