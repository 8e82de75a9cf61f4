import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from '../../src/webhooks/targets.ts';

const special: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
  shared: ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  'link-local, with metadata services': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%1'],
  'metadata services elsewhere': ['168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.9', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  reserved: ['192.0.0.1', '192.88.99.1', '240.0.0.1', '255.255.255.255', '100::1', '5f00::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
  'IPv4-compatible and translated': ['::127.0.0.1', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::8.8.8.8', '64:ff9b::169.254.169.254'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:7f00:1::'],
  'no address': ['', 'localhost', '1.2.3', '127.1', '0x7f.0.0.1', '1.2.3.4.5', '::g'],
};

for (const [what, addresses] of Object.entries(special)) {
  test(`not public: ${what}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address);
  });
}

test('public addresses are public, also where IPv6 embeds them', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '100.128.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.1',
  ];
  const ipv6 = ['2606:4700::1111', '2a00:1450:4001::1', '64:ff9b::8.8.8.8', '::ffff:8.8.8.8'];
  for (const address of [...addresses, ...ipv6]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});
