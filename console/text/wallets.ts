/** No address is longer, and the service takes none that is. */
const LONGEST = 128;

interface Wallets {
  /** Each once, in their order. */
  wallets: string[];
  /** How many words were left out. */
  tooLong: number;
}

/** Everything that could be an address: lists come with commas, quotes, tabs and line breaks. */
export function walletsIn(text: string): Wallets {
  const words = text.split(/[\s,;"']+/).filter((word) => word !== '');
  const wallets = [...new Set(words.filter((word) => word.length <= LONGEST))];
  return { wallets, tooLong: words.filter((word) => word.length > LONGEST).length };
}
