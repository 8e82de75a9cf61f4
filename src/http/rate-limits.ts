import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import { ProblemError } from '../contract/problems.ts';
import type { RateLimit } from '../domain/model.ts';

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

/** Fills steadily up to its burst. Instants are those of the monotonic clock. */
class TokenBucket {
  limit: RateLimit;
  #tokens: number;
  #filledAt: number;

  constructor(limit: RateLimit, now: number) {
    this.limit = limit;
    this.#tokens = limit.burst;
    this.#filledAt = now;
  }

  isEmpty(now: number): boolean {
    const { perSecond, burst } = this.limit;
    // Requests do not come here in the order in which they began.
    const ms = Math.max(0, now - this.#filledAt);
    this.#filledAt += ms;
    this.#tokens = Math.min(burst, this.#tokens + (ms * perSecond) / 1_000);
    return this.#tokens < 1;
  }

  /** The whole tokens that are left after one was taken; -1 if there was none. */
  take(now: number): number {
    if (this.isEmpty(now)) return -1;
    this.#tokens -= 1;
    return Math.floor(this.#tokens);
  }
}

/** The same one is thrown every time: recording a stack takes a while. */
const TOO_MANY_REQUESTS = new ProblemError('rate-limited');

export class KeyLimit {
  readonly #bucket: TokenBucket;
  #policy = '';

  constructor(limit: RateLimit, now: number) {
    this.#bucket = new TokenBucket(limit, now);
    this.change(limit);
  }

  change(limit: RateLimit): void {
    const { perSecond, burst } = limit;
    this.#bucket.limit = limit;
    // The burst, and the seconds in which an empty bucket fills up.
    this.#policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  }

  count(now: number, reply: FastifyReply): void {
    const left = this.#bucket.take(now);
    reply.header('ratelimit-policy', this.#policy);
    // Whatever the limit, there is a new token within a second.
    reply.header('ratelimit', `"default";r=${Math.max(0, left)};t=1`);
    if (left < 0) throw TOO_MANY_REQUESTS;
  }
}

const WRONG_KEY_LIMIT: RateLimit = { perSecond: 1, burst: 20 };

const TOO_MANY_WRONG_KEYS = new ProblemError('rate-limited', {
  reason: 'Too many wrong keys from this address.',
});

/**
 * Limits wrong keys by where they come from, so that a root key that somebody made up cannot be
 * guessed quickly. The keys of realms are random and too long to be guessed; hence a right one is
 * admitted whatever else comes from there.
 */
export class WrongKeys {
  readonly #networks: ClientNetworks;
  readonly #limits = new Limits(WRONG_KEY_LIMIT);
  /** Where the root key is in use: others there cannot lock it out. */
  readonly #rootNetworks = new Map<string, true>();

  constructor(networks: ClientNetworks) {
    this.#networks = networks;
  }

  /** Whether to find out if a key from there is the root key. */
  mayBeRoot(request: IncomingMessage): boolean {
    const network = this.#networks.of(request);
    if (this.#rootNetworks.has(network)) return true;
    return !this.#limits.isReached(network);
  }

  addRoot(request: IncomingMessage): void {
    setLast(this.#rootNetworks, this.#networks.of(request), true);
  }

  /** Counts a wrong key, and returns its refusal. */
  count(request: IncomingMessage): ProblemError {
    return this.#limits.take(this.#networks.of(request)) ? wrongKey() : TOO_MANY_WRONG_KEYS;
  }
}

/** Limits what is done for each of many, such as members or networks. */
export class Limits {
  readonly #limit: RateLimit;
  /** The one that has been quiet for longest is the first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  isReached(whose: string): boolean {
    return this.#buckets.get(whose)?.isEmpty(performance.now()) ?? false;
  }

  /** Whether there is room for one more, which is then counted. */
  take(whose: string): boolean {
    const now = performance.now();
    const bucket = this.#buckets.get(whose) ?? new TokenBucket(this.#limit, now);
    setLast(this.#buckets, whose, bucket);
    return bucket.take(now) >= 0;
  }
}

export const wrongKey = (): ProblemError =>
  new ProblemError('unauthorized', { reason: 'The API key is wrong, revoked or unknown.' });

const MAX_ENTRIES = 10_000;

/** Sets the value as the last one of a map; the first one goes if there are too many. */
export function setLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_ENTRIES) return;
  const [first = ''] = map.keys();
  map.delete(first);
}
