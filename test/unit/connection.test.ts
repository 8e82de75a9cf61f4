import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyIn } from '../../src/http/connection.ts';

const headWith = (line: string): Buffer =>
  Buffer.from(`GET / HTTP/1.1\r\nhost: a\r\n${line}\r\n\r\n`);

test('the key of a first request is found as Node will present it', () => {
  assert.equal(keyIn(headWith('Authorization: Bearer rk_1')), 'Bearer rk_1');
  assert.equal(keyIn(headWith('AUTHORIZATION:\t rk_1 \t ')), 'rk_1');
  assert.equal(keyIn(headWith('x-authorization: rk_1')), undefined);
  assert.equal(keyIn(headWith('accept: */*')), undefined);
});

test('no head takes long to search', () => {
  const start = performance.now();
  for (const blank of [' ', '\t']) {
    for (let n = 0; n < 20; n++) keyIn(headWith(`authorization: x${blank.repeat(5_000)}y`));
  }
  const ms = performance.now() - start;
  assert.ok(ms < 500, `${ms} ms for 40 heads`);
});
