import { walletKey } from './shapes.ts';

/** No address is longer, and the service takes none that is. */
const LONGEST = 128;

interface Wallets {
  /** Each once, as it was written first, in their order. */
  wallets: string[];
  /** How many words were left out because they are there already, maybe in another case. */
  repeated: number;
  /** How many words were left out because they are no address. */
  tooLong: number;
}

/** Everything that could be an address: lists come with commas, quotes, tabs and line breaks. */
export function walletsIn(text: string): Wallets {
  const words = text.split(/[\s,;"']+/).filter((word) => word !== '');
  const short = words.filter((word) => word.length <= LONGEST);
  const first = new Map<string, string>();
  for (const word of short) {
    const key = walletKey(word);
    if (!first.has(key)) first.set(key, word);
  }
  return {
    wallets: [...first.values()],
    repeated: short.length - first.size,
    tooLong: words.length - short.length,
  };
}
