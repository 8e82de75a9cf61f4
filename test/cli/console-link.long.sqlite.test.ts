import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TERMINAL } from '../support/program.ts';
import { Cli } from './cli.ts';

/** Signs in with the code of a link, as the console does; the status of the answer. */
async function signIn(url: unknown, link: string): Promise<number> {
  const code = link.split('#code=')[1] ?? '';
  const { status } = await fetch(`${url}/api/v4/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return status;
}

test('the first start prints a link that signs in once; console-link prints others', async (t) => {
  const cli = new Cli(t);
  const first = cli.start(['serve'], TERMINAL);
  const [, url] = await first.says(/^Realmkeep listens on (http:\S+)\n/);
  const says = /\nConsole \(link works once, for 10 minutes\) +(http:\S+\/join#code=rk_\w+)\n/;
  const [, link = ''] = await first.says(says);
  assert.ok(link.startsWith(`${url?.replace('127.0.0.1', 'localhost')}/join#code=`));
  assert.deepEqual([await signIn(url, link), await signIn(url, link)], [201, 401]);

  const { code, stdout } = await cli.run(['console-link', '--json'], { PORT: '8123' });
  assert.equal(code, 0);
  const printed = JSON.parse(stdout).link;
  assert.match(printed, /^http:\/\/localhost:8123\/#code=rk_\w+$/);
  assert.deepEqual([await signIn(url, printed), await signIn(url, printed)], [201, 401]);

  const off = await cli.run(['console-link'], { CONSOLE: 'off' });
  assert.equal(off.code, 1);
  assert.match(off.stderr, /CONSOLE=off/);

  await cli.run(['realm', 'create', 'acme', '--name', 'Acme']);
  assert.ok(!first.stderr.includes('#code='), 'it is not logged');
  first.child.kill('SIGTERM');
  await first.ended;
  const later = cli.start(['serve', '--json']);
  assert.equal((await later.firstObject()).consoleLink, null);
  later.child.kill('SIGTERM');
  await later.ended;
});
