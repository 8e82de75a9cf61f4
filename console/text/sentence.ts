import { formatNumber } from './format.ts';
import { visibleText } from './visible.ts';

/** What the palette was told to do: "add 50 to alice", "take 20 from bob". */
interface Order {
  action: 'add' | 'take';
  tokens: number;
  who: string;
}

const ORDER =
  /^(add|give|award|take|subtract|remove)\s+(\d[\d.,' ]*)\s*(?:points?\s+)?(?:to|from)\s+(.+)$/i;
const TAKING = new Set(['take', 'subtract', 'remove']);

export function parseOrder(text: string): Order | null {
  const [, verb = '', amount = '', who = ''] = ORDER.exec(text.trim()) ?? [];
  const tokens = Number(amount.replaceAll(/[.,' ]/g, ''));
  if (!Number.isSafeInteger(tokens) || tokens <= 0 || who.trim() === '') return null;
  return { action: TAKING.has(verb.toLowerCase()) ? 'take' : 'add', tokens, who: who.trim() };
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
