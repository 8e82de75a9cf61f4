import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Tells callers apart by where they come from. */
export class ClientNetworks {
  readonly #proxies = new BlockList();

  /** The proxies are addresses, or networks as `<address>/<bits>`. */
  constructor(trustedProxies: readonly string[]) {
    for (const proxy of trustedProxies) {
      const [address = '', bits] = proxy.split('/');
      const family = familyOf(address);
      this.#proxies.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
    }
  }

  /** The network of the caller: as a trusted proxy reports it, or else the peer's. */
  of({ socket, headers }: IncomingMessage): string {
    let address = plain(socket.remoteAddress ?? '');
    // Each proxy has added the address before it at the end, so what counts is read backwards.
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (this.#isProxy(address)) {
      const before = plain(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      address = before;
    }
    return networkOf(address);
  }

  /** Whether a trusted proxy has got the request by https. */
  isHttps({ socket, headers }: IncomingMessage): boolean {
    const isProxied = this.#isProxy(plain(socket.remoteAddress ?? ''));
    return isProxied && headers['x-forwarded-proto'] === 'https';
  }

  #isProxy(address: string): boolean {
    return isIP(address) > 0 && this.#proxies.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Without the port and the brackets that some proxies write. */
const PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/** An IPv4 address is one also where a socket for both families reports it as IPv6. */
function plain(text: string): string {
  const [, ipv6, ipv4] = PORT.exec(text) ?? [];
  const address = ipv6 ?? ipv4 ?? text;
  const groups = isIPv6(address) ? groupsOf(address) : null;
  const isMapped = groups?.slice(0, 6).join() === '0,0,0,0,0,65535';
  return groups && isMapped ? dotted(groups.slice(6)) : address;
}

/** An IPv4 address, or of an IPv6 address the 64 bits that belong to one customer. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const first = groupsOf(address).slice(0, 4);
  return first.map((group) => group.toString(16)).join(':');
}

/** The eight numbers of an IPv6 address, which a URL writes in one of its many forms. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [first = [], last = []] = hostname.slice(1, -1).split('::').map(numbersIn);
  const zeros = Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...zeros, ...last];
}

const numbersIn = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

const dotted = (groups: readonly number[]): string =>
  groups.flatMap((group) => [group >> 8, group & 255]).join('.');
