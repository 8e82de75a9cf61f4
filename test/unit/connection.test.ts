import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { AUTHORIZATION, keyIn } from '../../src/http/connection.ts';

const headWith = (line: string): Buffer =>
  Buffer.from(`GET / HTTP/1.1\r\nhost: a\r\n${line}\r\n\r\n`);

/** The same expression, which finds nothing if V8 has to go back more often than that. */
function backtracking({ source, flags }: RegExp, limit: number): RegExp {
  const args = [source, flags, limit].map((each) => JSON.stringify(each));
  setFlagsFromString('--allow-natives-syntax');
  try {
    return runInThisContext(`%NewRegExpWithBacktrackLimit(${args})`);
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

test('the key of a first request is found as Node will present it', () => {
  assert.equal(keyIn(headWith('Authorization: Bearer rk_1')), 'Bearer rk_1');
  assert.equal(keyIn(headWith('AUTHORIZATION:\t rk_1 \t ')), 'rk_1');
  assert.equal(keyIn(headWith('x-authorization: rk_1')), undefined);
  assert.equal(keyIn(headWith('accept: */*')), undefined);
});

test('a search takes a few steps for each character of a head', () => {
  for (const blank of [' ', '\t']) {
    for (const line of [`authorization: x${blank.repeat(5_000)}y`, `x: ${blank.repeat(5_000)}y`]) {
      const head = `${headWith(line)}authorization: found`;
      const search = backtracking(AUTHORIZATION, 3 * head.length);
      assert.ok(search.exec(head), 'one that goes back over the blanks takes millions');
    }
  }
});
