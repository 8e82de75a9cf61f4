import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { TargetCheck } from '../domain/commands.ts';

const USUAL_PORTS: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443']);

/** The end of a fault that the operator can allow. */
const UNLESS = ', unless the operator sets WEBHOOK_ALLOW_PRIVATE=true';

/** The addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** The target of a webhook has an address that is not public. */
export class RefusedTarget extends Error {}

/** The name of a target has no address now. */
export class NameNotResolved extends Error {}

/** Which URLs events may be sent to. */
export class Targets {
  /** For sockets: every address is checked at every connection, however names change meanwhile. */
  readonly lookup: LookupFunction;
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;

  constructor(allowPrivate: boolean, resolve: Resolve = resolverFor(allowPrivate)) {
    this.#allowPrivate = allowPrivate;
    this.#resolve = resolve;
    this.lookup = (hostname, options, callback) => {
      this.#checkedAddresses(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family ?? 0);
        },
        (error) => callback(error, ''),
      );
    };
  }

  /** What is wrong with a URL, as the end of a sentence; null if nothing is, as far as it shows. */
  fault(text: string): string | null {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol)) return 'must be an http or https URL';
    if (url.username !== '' || url.password !== '') return 'must have no user and no password';
    if (this.#allowPrivate) return null;
    if (!USUAL_PORTS.has(url.port)) return `must have port 80, 443, 8080 or 8443${UNLESS}`;
    const address = literalAddress(url);
    // Not a name of the DNS, in which public names are looked up.
    const isLocal = /(^|\.)localhost\.?$/.test(url.hostname);
    const isPublic = address === null ? !isLocal : isPublicAddress(address);
    return isPublic ? null : `must have a public address${UNLESS}`;
  }

  /** Whether a URL without a fault has public addresses alone. */
  async check(text: string): Promise<TargetCheck> {
    const url = new URL(text);
    if (this.#allowPrivate || literalAddress(url) !== null) return 'allowed';
    try {
      await this.#checkedAddresses(url.hostname);
      return 'allowed';
    } catch (error) {
      return error instanceof NameNotResolved ? 'name-not-resolved' : 'refused-target';
    }
  }

  async #checkedAddresses(hostname: string): Promise<LookupAddress[]> {
    const addresses = await this.#resolve(hostname).catch((error) => {
      throw new NameNotResolved(`${hostname} has no address`, { cause: error });
    });
    if (addresses.length === 0) throw new NameNotResolved(`${hostname} has no address`);
    if (this.#allowPrivate || addresses.every(({ address }) => isPublicAddress(address))) {
      return addresses;
    }
    throw new RefusedTarget(`${hostname} has an address that is not public`);
  }
}

/** The host of a URL if it is an address. The parser has normalised every way to write one. */
function literalAddress({ hostname }: URL): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) > 0 ? address : null;
}

/**
 * Public names are looked up without the system's resolver, which occupies one of four threads for
 * as long as the name's server likes. Private names may be in a file that only the system reads.
 */
function resolverFor(allowPrivate: boolean): Resolve {
  if (allowPrivate) return (hostname) => lookup(hostname, { all: true });
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.all([
      resolver.resolve4(hostname).catch(() => []),
      resolver.resolve6(hostname).catch(() => []),
    ]);
    return [...four, ...six].map((address) => ({ address, family: isIP(address) }));
  };
}

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
