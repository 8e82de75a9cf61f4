import { BlockList, isIP } from 'node:net';

/**
 * IPv4 networks that are not part of the public internet: private, loopback, link-local, shared,
 * documentation, benchmarking, multicast and reserved ones, by the registry of special-purpose
 * addresses. The last one is a metadata service with a public address.
 */
const SPECIAL_IPV4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
];

/** Prefixes of 96 bits that an IPv4 address follows: mapped ones, and NAT64. */
const EMBEDDING = ['::ffff:', '64:ff9b::'];

/** The IPv6 networks that public addresses are in, and what in them is not public. */
const GLOBAL_IPV6 = [
  ['2000::', 3],
  ...EMBEDDING.map((prefix): [string, number] => [`${prefix}0.0.0.0`, 96]),
] as const;
const SPECIAL_IPV6 = [
  // Protocol assignments, with Teredo, benchmarking and ORCHID; documentation; 6to4.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const globalIpv6 = new BlockList();
for (const [network, bits] of GLOBAL_IPV6) globalIpv6.addSubnet(network, bits, 'ipv6');

const specialIpv4 = new BlockList();
const specialIpv6 = new BlockList();
for (const [network, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(network, bits, 'ipv6');
for (const [network, bits] of SPECIAL_IPV4) {
  specialIpv4.addSubnet(network, bits, 'ipv4');
  for (const prefix of EMBEDDING) {
    specialIpv6.addSubnet(`${prefix}${network}`, 96 + bits, 'ipv6');
  }
}

/** Whether an address belongs to the public internet. Anything that is no address does not. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      // A zone belongs to link-local addresses only.
      return (
        !address.includes('%') &&
        globalIpv6.check(address, 'ipv6') &&
        !specialIpv6.check(address, 'ipv6')
      );
    default:
      return false;
  }
}
