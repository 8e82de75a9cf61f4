import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebhookClient } from '../../src/webhooks/client.ts';
import { type Resolve, Targets } from '../../src/webhooks/targets.ts';
import { Receiver } from './receiver.ts';

const PUBLIC = { address: '93.184.215.14', family: 4 };
const LOCAL = { address: '127.0.0.1', family: 4 };
const LOCAL_6 = { address: '::ffff:127.0.0.1', family: 6 };

const names: Record<string, { address: string; family: number }[]> = {
  'public.example': [PUBLIC],
  'local.example': [LOCAL],
  'mapped.example': [LOCAL_6],
  'both.example': [PUBLIC, LOCAL],
  'nowhere.example': [],
};

const resolve: Resolve = async (hostname) => {
  const found = names[hostname];
  if (found) return found;
  throw new Error('ENOTFOUND');
};

const refused = [
  // The same address as a decimal, octal, hexadecimal, short and mixed number.
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://127.1/',
  'http://127.0.0.1./',
  'http://１２７.0.0.1/',
  'http://10.1.2.3/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  // Not http, with credentials, or at an unusual port.
  'ftp://public.example/',
  'file:///etc/passwd',
  'gopher://public.example/',
  'javascript:alert(1)',
  'http://user@public.example/',
  'http://:secret@public.example/',
  'http://public.example:22/',
  'http://public.example:6379/',
  'https://public.example:5432/',
  'public.example',
  '//public.example/',
  'http://',
  '',
];

test('targets that show to be wrong by themselves', () => {
  const targets = new Targets(false, resolve);
  for (const url of refused) assert.match(targets.fault(url) ?? '', /^must /, url);
  const allowed = ', unless the operator sets WEBHOOK_ALLOW_PRIVATE=true';
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:8080', 'bot.localhost']) {
    assert.equal(targets.fault(`http://${host}/`), `must have a public address${allowed}`);
  }
  assert.equal(targets.fault('http://mylocalhost/'), null);
  const port = `must have port 80, 443, 8080 or 8443${allowed}`;
  assert.equal(targets.fault('http://public.example:3000/'), port);
});

test('names are refused if one of their addresses is not public, or they have none', async () => {
  const targets = new Targets(false, resolve);
  const hosts = {
    'refused-target': ['local', 'mapped', 'both'],
    'name-not-resolved': ['nowhere', 'unknown'],
  };
  for (const [why, names] of Object.entries(hosts)) {
    for (const host of names) {
      const url = `https://${host}.example/`;
      assert.equal(targets.fault(url), null);
      assert.equal(await targets.check(url), why, host);
    }
  }
  for (const port of ['', ':80', ':443', ':8080', ':8443']) {
    const url = `http://public.example${port}/hook?a=b`;
    assert.equal(targets.fault(url), null, url);
    assert.equal(await targets.check(url), 'allowed');
  }
});

test('WEBHOOK_ALLOW_PRIVATE allows any address and port, but no other scheme', async () => {
  const targets = new Targets(true, resolve);
  for (const url of ['http://127.0.0.1:6379/', 'http://[::1]:1/', 'http://local.example:81/']) {
    assert.equal(targets.fault(url), null);
    assert.equal(await targets.check(url), 'allowed');
  }
  assert.match(targets.fault('file:///etc/passwd') ?? '', /^must /);
  assert.match(targets.fault('http://a:b@local.example/') ?? '', /^must /);
});

const post = async (targets: Targets, url: string) => {
  const client = new WebhookClient(targets, 2_000);
  const outcome = await client.post({ url, headers: {}, body: '{}' }, new AbortController().signal);
  client.close();
  return outcome;
};

test('every attempt checks the address that it connects to', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  // The second time, the name has another address.
  let asked = 0;
  const rebinding: Resolve = async () => (++asked === 1 ? [PUBLIC] : [LOCAL]);
  const targets = new Targets(false, rebinding);
  const url = 'http://rebinding.example:8080/';
  assert.equal(await targets.check(url), 'allowed');
  assert.equal((await post(targets, url)).error, 'refused-target');
  assert.equal(asked, 2);
  assert.equal((await post(targets, 'http://127.0.0.1:8080/')).error, 'refused-target');
  assert.equal(
    (await post(new Targets(false, resolve), 'http://both.example/')).error,
    'refused-target',
  );
  const unknown = await post(new Targets(false, resolve), 'http://unknown.example/');
  assert.equal(unknown.error, 'name-not-resolved');
  assert.equal(receiver.received.length, 0);
});

test('a connection goes to the address that was checked', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const { port } = new URL(receiver.url);
  const targets = new Targets(true, async () => [LOCAL]);
  const { status } = await post(targets, `http://any.example:${port}/hook`);
  assert.equal(status, 204);
  assert.equal(receiver.received[0]?.headers.host, `any.example:${port}`);
});

test('an answer that is no HTTP, one that leaves it, one that never ends, and none', async (t) => {
  const receiver = await Receiver.start();
  t.after(() => receiver.stop());
  const targets = new Targets(true);
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
  receiver.answer = (response) => void response.socket?.write(upgrade);
  assert.equal((await post(targets, receiver.url)).error, 'connection-failed');
  receiver.answer = (response) => void response.socket?.end('rubbish\r\n\r\n');
  assert.equal((await post(targets, receiver.url)).error, 'invalid-answer');
  const client = new WebhookClient(targets, 100);
  const answers: Receiver['answer'][] = [
    (response) => void response.writeHead(200).write('so far'),
    () => undefined,
  ];
  for (const answer of answers) {
    receiver.answer = answer;
    const message = { url: receiver.url, headers: {}, body: '{}' };
    const outcome = await client.post(message, new AbortController().signal);
    assert.deepEqual([outcome.status, outcome.error], [null, 'timeout']);
  }
  client.close();
});
