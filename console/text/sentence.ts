import { amountFault, parseAmount } from './amounts.ts';
import { formatNumber } from './format.ts';
import { visibleText } from './visible.ts';

/** What the palette was told to do: "add 50 to alice", "take 20 from bob". */
interface Order {
  action: 'add' | 'take';
  tokens: number;
  who: string;
}

const ORDER =
  /^(add|award|take|subtract|remove)\s+(\p{Nd}\P{L}*?)\s+(?:points?\s+)?(?:to|from)\s+(.+)$/iu;
const TAKING = new Set(['take', 'subtract', 'remove']);

/** Null if it is no order, or its amount is unclear. */
export function parseOrder(text: string): Order | null {
  const [, verb = '', amount = '', who = ''] = ORDER.exec(text.trim()) ?? [];
  const tokens = parseAmount(amount);
  if (tokens === null || who.trim() === '') return null;
  return { action: TAKING.has(verb.toLowerCase()) ? 'take' : 'add', tokens, who: who.trim() };
}

/** What is unclear about the amount of an order. */
export function orderFault(text: string): string | null {
  const [, , amount = ''] = ORDER.exec(text.trim()) ?? [];
  return amountFault(amount);
}

interface Kind {
  name: string;
  symbol: string | null;
}

/** "50 points", "1 point", "3 ★": an amount with the name or symbol of its kind. */
export function amountOf(tokens: number, kind: Kind): string {
  const unit = unitOf(kind);
  return `${formatNumber(tokens)} ${tokens === 1 && unit === 'points' ? 'point' : unit}`;
}

/** Names of kinds start with a capital; inside a sentence they do not. */
export const unitOf = ({ name, symbol }: Kind): string =>
  visibleText(symbol ?? (/^[A-Z][a-z]+$/.test(name) ? name.toLowerCase() : name));
