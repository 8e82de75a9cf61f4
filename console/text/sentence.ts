import { amountFault, parseAmount } from './amounts.ts';
import { type Figure, formatNumber } from './format.ts';
import { visibleText } from './visible.ts';

interface Kind {
  name: string;
  symbol: string | null;
}

export interface OrderedKind extends Kind {
  id: string;
  isDefault: boolean;
}

/** What the palette was told to do: "add 50 to alice", "take 20 gems from bob". */
interface Order<K> {
  action: 'add' | 'take';
  tokens: number;
  kind: K;
  who: string;
}

const ORDER = /^(add|award|take|subtract|remove)\s+(\p{Nd}.*?)\s+(?:to|from)\s+(.+)$/iu;
const TAKING = new Set(['take', 'subtract', 'remove']);

/** Null if it is no order, or its amount is unclear. */
export function parseOrder<K extends OrderedKind>(text: string, kinds: K[]): Order<K> | null {
  const [, verb = '', what = '', who = ''] = ORDER.exec(text.trim()) ?? [];
  const { amount, kind } = splitAmount(what, kinds);
  const tokens = parseAmount(amount);
  if (!kind || tokens === null || who.trim() === '') return null;
  const action = TAKING.has(verb.toLowerCase()) ? 'take' : 'add';
  return { action, tokens, kind, who: who.trim() };
}

/** "50", "50 gems" or "50 ◆"; without a name it is the default kind. */
export function splitAmount<K extends OrderedKind>(what: string, kinds: K[]) {
  const fallback = kinds.find(({ isDefault }) => isDefault);
  const named = kinds
    .flatMap((kind) => unitsOf(kind).map((unit) => ({ unit, kind })))
    .concat(fallback ? ['points', 'point'].map((unit) => ({ unit, kind: fallback })) : [])
    .filter(({ unit }) => endsWith(what, unit))
    // Of "gems" and "shiny gems" the longer one; of equal ones the kind that is called so.
    .toSorted((a, b) => b.unit.length - a.unit.length);
  const [best] = named;
  return best
    ? { amount: what.slice(0, -best.unit.length).trimEnd(), kind: best.kind }
    : { amount: what, kind: fallback };
}

/** One gem is also called by the name of many. */
const unitsOf = ({ id, name, symbol }: OrderedKind): string[] =>
  [name, id, symbol ?? '', name.replace(/s$/, ''), id.replace(/s$/, '')].filter(Boolean);

/** Digits only count as a name of their own behind a space: "150" is not 1 of the kind "50". */
function endsWith(what: string, unit: string): boolean {
  const rest = what.slice(0, -unit.length);
  if (what.slice(rest.length).toLowerCase() !== unit.toLowerCase()) return false;
  return (/^\p{Nd}/u.test(unit) ? /\p{Nd}\s+$/u : /\p{Nd}\s*$/u).test(rest);
}

/** What is unclear about the amount of an order. */
export function orderFault(text: string, kinds: OrderedKind[]): string | null {
  const [, , what = ''] = ORDER.exec(text.trim()) ?? [];
  const { amount } = splitAmount(what, kinds);
  const [, unit] = /^\p{Nd}[\p{Nd}\s.,'’_٬]*(\p{L}.*)$/u.exec(amount) ?? [];
  return unit ? `There is no point type called “${visibleText(unit)}”.` : amountFault(amount);
}

/** How to go on with what begins like an order. */
export function orderHint(text: string): string | null {
  if (/^give\s/i.test(text.trimStart())) {
    return 'A gift has a giver: open that member, and choose “Give”.';
  }
  const [, verb = ''] = /^(add|award|take|subtract|remove)\s/i.exec(text.trimStart()) ?? [];
  if (verb === '') return null;
  const word = verb.toLowerCase();
  return `Go on like “${word} 50 ${TAKING.has(word) ? 'from' : 'to'} alice”.`;
}

/** "50 points", "1 point", "3 ★": an amount with the name or symbol of its kind. */
export function amountOf(tokens: Figure, kind: Kind): string {
  const unit = unitOf(kind);
  return `${formatNumber(tokens)} ${String(tokens) === '1' && unit === 'points' ? 'point' : unit}`;
}

/** How much a record moved; "85 of 585 points" if it reversed a part of what another one did. */
export function movedIn(
  { tokens, originalTokens = tokens }: { tokens?: unknown; originalTokens?: unknown },
  kind: Kind,
): string {
  const [moved, all] = [Math.abs(Number(tokens)), Math.abs(Number(originalTokens))];
  return moved === all ? amountOf(moved, kind) : `${formatNumber(moved)} of ${amountOf(all, kind)}`;
}

/** Names of kinds start with a capital; inside a sentence they do not. */
export const unitOf = ({ name, symbol }: Kind): string =>
  visibleText(symbol ?? (/^[A-Z][a-z]+$/.test(name) ? name.toLowerCase() : name));
