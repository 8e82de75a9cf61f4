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

  #isProxy(address: string): boolean {
    return isIP(address) > 0 && this.#proxies.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** An IPv4 address is one also where a socket for both families reports it as IPv6. */
const plain = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** An IPv4 address, or of an IPv6 address the 64 bits that belong to one customer. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
