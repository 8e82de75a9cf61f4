import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemCodes } from '../../src/contract/openapi/problem-answers.ts';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { goodRequests, pathOf, prepare, table } from '../support/requests.ts';
import { ROOT_KEY, serviceForFile } from '../support/service.ts';
import { converse, requestText } from '../support/sockets.ts';

/** Whether openapi.json names the refusals of requests that are too large or not JSON. */
const service = await serviceForFile();
const here = await prepare(service, 'here');
const authorization = `Bearer ${ROOT_KEY}`;
const MORE_THAN_ANY_BODY = 64 * 1024 * 1024 + 1;
const MORE_THAN_ANY_HEAD = 'x'.repeat(20_000);

const requests: Partial<Record<ProblemCode, [headers: Record<string, string>, body: string]>> = {
  'body-too-large': [
    { 'content-type': 'application/json', 'content-length': String(MORE_THAN_ANY_BODY) },
    '',
  ],
  'unsupported-media-type': [{ 'content-type': 'text/plain', 'content-length': '2' }, '{}'],
  'headers-too-large': [{ 'x-more': MORE_THAN_ANY_HEAD }, ''],
};

for (const [id, operation] of table) {
  test(`${id}: openapi.json names 413, 415 and 431 exactly where they occur`, async () => {
    const path = `${pathOf(operation, here)}${goodRequests[id].query ?? ''}`;
    for (const [code, [headers, body]] of Object.entries(requests)) {
      const text = requestText(operation.method, path, { authorization, ...headers }, body);
      const [reply] = await converse(service, text, 1);
      assert.ok(reply, `${code} has no answer`);
      const isNamed = problemCodes(operation).includes(code as ProblemCode);
      assert.equal(reply.json?.code === code, isNamed, `${code}: ${reply.status} ${reply.text}`);
    }
  });
}
