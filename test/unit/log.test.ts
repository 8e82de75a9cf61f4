import assert from 'node:assert/strict';
import { test } from 'node:test';
import { styleText } from 'node:util';
import { openLog, textLine } from '../../src/log.ts';

const plain = (_style: unknown, text: string): string => text;

/** What is logged, as lines of JSON. */
function logged(write: (log: ReturnType<typeof openLog>) => void): string[] {
  const lines: string[] = [];
  write(openLog({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) }));
  return lines;
}

test('a line has an ISO time and the name of its level', () => {
  const [line = ''] = logged((log) => log.warn({ reason: 'x' }, 'too late'));
  const { time, ...rest } = JSON.parse(line);
  assert.deepEqual(rest, { level: 'warn', reason: 'x', msg: 'too late' });
  assert.equal(time, new Date(time).toISOString());
});

test('a request is one line of text with what matters first', () => {
  const fields = { requestId: 'r-1', method: 'GET', route: '/a/:b', status: 404, ms: 1.5 };
  const [line = ''] = logged((log) =>
    log.info({ ...fields, code: 'member-not-found', realm: 'acme', actor: 'key:k' }, 'request'),
  );
  const [head, ...details] = textLine(line, plain).split(' requestId=');
  assert.match(head ?? '', /^\S+Z INFO {2}GET \/a\/:b 404 1\.5 ms$/);
  assert.deepEqual(details, ['r-1 code=member-not-found realm=acme actor=key:k']);
});

test('text has an error with its stack, and quotes what is not one word', () => {
  const [line = ''] = logged((log) =>
    log.error({ err: new Error('lost'), reason: 'no answer', n: 5, none: null }, 'request failed'),
  );
  assert.match(
    textLine(line, plain),
    /^\S+Z ERROR request failed reason="no answer" n=5 none=null\nError: lost\n {4}at /,
  );
});

test('no field can control the terminal', () => {
  const evil = 'a\u001b[31mred\u009b2J\u0007\rb';
  const [line = ''] = logged((log) => log.info({ evil, list: [evil] }, evil));
  assert.doesNotMatch(textLine(line, plain), /[^\P{Cc}\n]/u);
});

test('colours are those of the level and the status', () => {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { validateStream: false });
  const [line = ''] = logged((log) => log.error({ status: 500 }, 'request'));
  const text = textLine(line, paint);
  assert.ok(text.includes(paint('red', 'ERROR')) && text.includes(paint('red', '500')), text);
});
