import type { Commands } from '../../domain/commands.ts';
import type { Account, Address } from '../../domain/model.ts';
import { addresses } from '../../service.ts';

/** A seeded generator, so that every run is the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive), by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.between(0, 255)));
  }

  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.between(0, last);
      [items[last], items[other]] = [items[other] as T, items[last] as T];
    }
    return items;
  }
}

/** A member to be enrolled. Handles, ids and wallets are all invented. */
export type Person = Commands['member.create'][0] & { memberId: string };

const ADJECTIVES = (
  'amber ancient arctic autumn bold brave bright calm candid cedar clever cobalt copper coral ' +
  'cosmic crimson curious dapper daring dusty eager early electric emerald fabled fearless fuzzy ' +
  'gentle gilded golden happy hidden honest humble indigo ivory jade jolly lucky lunar marble ' +
  'mellow midnight misty'
).split(' ');
const NOUNS = (
  'acorn anchor badger beacon bison cactus canyon cloud comet compass cricket dolphin ember ' +
  'falcon fern finch fox gecko glacier harbor heron koala lantern lynx magpie maple meadow ' +
  'moth nebula orchid otter owl panda pebble pine puffin raven reef sparrow thistle tiger ' +
  'walnut willow wombat'
).split(' ');

export function inventPeople(count: number, random: Random): Person[] {
  const handles = random.shuffle(ADJECTIVES.flatMap((a) => NOUNS.map((noun) => `${a}-${noun}`)));
  const ids = new Set<string>();
  while (ids.size < count) ids.add(discordLikeId(random));
  return Array.from(ids, (id, index) => {
    const round = Math.floor(index / handles.length);
    const handle = handles[index % handles.length] ?? '';
    return invent(id, round === 0 ? handle : `${handle}-${round + 1}`, random);
  });
}

function invent(id: string, username: string, random: Random): Person {
  const accounts: Account[] = [{ provider: 'discord', id, username }];
  if (random.next() < 0.25) accounts.push({ provider: 'github', id: username, username });
  const fields = { username, displayName: titled(username), accounts };
  return { memberId: id, fields, wallets: wallets(random) };
}

/** 18 digits, more than a double can represent exactly. */
const discordLikeId = (random: Random): string =>
  `${random.between(100_000_000, 999_999_999)}${random.between(100_000_000, 999_999_999)}`;

const titled = (handle: string): string =>
  handle.replaceAll(/(^|-)(\w)/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());

/** Most have one on EVM chains, some have one on Solana, both or none. */
function wallets(random: Random): Address[] {
  const found: Address[] = [];
  if (random.next() < 0.8) found.push(address(() => `0x${random.bytes(20).toString('hex')}`));
  if (random.next() < 0.15) found.push(address(() => base58Text(random)));
  return found;
}

/** Nearly every text is one. */
function address(invent: () => string): Address {
  const parsed = addresses.parse(invent());
  return 'fault' in parsed ? address(invent) : parsed;
}

const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];

/** Mostly of 32 bytes. */
const base58Text = (random: Random): string =>
  Array.from({ length: 43 }, () => random.pick(BASE58)).join('');
