import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { ClientNetworks } from '../../src/http/rate-limits.ts';

function networkOf(address: string, forwarded?: string, proxies: string[] = []): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return new ClientNetworks(proxies).of(request);
}

test('callers are told apart by IPv4 address, or by the first half of an IPv6 address', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7');
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.equal(networkOf('2001:DB8:1:2::6'), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8::6'), '2001:db8:0:0');
  assert.equal(networkOf('::1'), '0:0:0:0');
  assert.equal(networkOf('1::2:3:4:5:6:7'), '1:0:2:3');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0');
  assert.equal(networkOf(''), '');
});

test('an address is the same in all its forms', () => {
  const forwarded = (text: string) => networkOf('127.0.0.1', text, ['127.0.0.1']);
  for (const ipv6 of ['2001:db8::6', '2001:0DB8:0:0::6', '[2001:db8::6]', '[2001:db8::6]:443']) {
    assert.equal(forwarded(ipv6), '2001:db8:0:0', ipv6);
  }
  for (const ipv4 of [
    '192.0.2.7',
    '192.0.2.7:443',
    '::ffff:192.0.2.7',
    '::FFFF:c000:207',
    '0:0:0:0:0:ffff:192.0.2.7',
    '[::ffff:192.0.2.7]:443',
  ]) {
    assert.equal(forwarded(ipv4), '192.0.2.7', ipv4);
  }
  assert.equal(forwarded('64:ff9b::192.0.2.7'), '64:ff9b:0:0');
  // A trusted proxy is recognised in each form, too.
  assert.equal(forwarded('198.51.100.1, [::ffff:127.0.0.1]:80'), '198.51.100.1');
});

test('X-Forwarded-For counts only as far as trusted proxies wrote it', () => {
  const proxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'];
  assert.equal(networkOf('192.0.2.7', '198.51.100.1', proxies), '192.0.2.7');
  assert.equal(networkOf('127.0.0.1', '198.51.100.1', []), '127.0.0.1');
  assert.equal(networkOf('127.0.0.1', '198.51.100.1', proxies), '198.51.100.1');
  assert.equal(networkOf('::ffff:10.1.2.3', '198.51.100.1', proxies), '198.51.100.1');
  assert.equal(networkOf('2001:db8::9', '2001:dead:1:2::3', proxies), '2001:dead:1:2');
  // A caller may have sent a header of its own, which the proxies added to.
  assert.equal(networkOf('127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.9', proxies), '198.51.100.1');
  assert.equal(networkOf('127.0.0.1', '10.0.0.8, 10.0.0.9', proxies), '10.0.0.8');
  for (const nonsense of ['', 'unknown', '1.1.1.1, _hidden', '1.1.1.1:x', '[1.1.1.1', '[::1']) {
    assert.equal(networkOf('127.0.0.1', nonsense, proxies), '127.0.0.1', nonsense);
  }
  assert.equal(networkOf('127.0.0.1', undefined, proxies), '127.0.0.1');
});
