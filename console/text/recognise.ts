import { readWhole } from './amounts.ts';
import { isMemberId, isWallet } from './shapes.ts';

/** What somebody pasted of one member, and the amount beside it. */
export interface Pasted {
  text: string;
  by: 'id' | 'wallet' | 'name';
  /** The id, the wallet, or the name without an @. */
  value: string;
  tokens: number | null;
}

/** More are an import. */
export const MOST_PASTED = 2_000;

const MENTION = /^<@!?(\d{1,19})>$/;

function pasted(text: string, tokens: number | null): Pasted {
  const id = MENTION.exec(text)?.[1] ?? text;
  if (isMemberId(id)) return { text, by: 'id', value: id, tokens };
  if (isWallet(text)) return { text, by: 'wallet', value: text, tokens };
  return { text, by: 'name', value: text.replace(/^@/, ''), tokens };
}

/** Ids of Discord are longer than any amount that somebody gives. */
const LONGEST_AMOUNT = 15;

function amountIn(cell: string | undefined, locale?: string): number | null {
  if (cell === undefined || cell.replaceAll(/\D/g, '').length > LONGEST_AMOUNT) return null;
  const read = readWhole(cell, locale);
  return 'value' in read ? read.value : null;
}

/** The two columns of a text whose lines all have a member and an amount; null if it has none. */
function columnsIn(lines: string[], locale?: string): Pasted[] | null {
  const rows = lines.map((line) => /^(.*?)[\t;,]\s*([+−-]?[\d.,'’\s]+)$/.exec(line.trim()));
  const [first, ...rest] = rows;
  // The first line may name the columns.
  const read = first === null && rest.length > 0 ? rest : rows;
  const found = read.map((row) => {
    const tokens = amountIn(row?.[2], locale);
    const text = row?.[1]?.trim() ?? '';
    return tokens === null || text === '' || /[\t;,]/.test(text) ? null : pasted(text, tokens);
  });
  // "41, 42" in one line are two ids.
  const isPair = found.length === 1 && found[0]?.by === 'id';
  return isPair || found.includes(null) ? null : (found as Pasted[]);
}

/** Names, ids, mentions and wallets in lines or between commas, or beside amounts. */
export function readPasted(text: string, locale?: string): Pasted[] {
  const lines = text.split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return [];
  const columns = columnsIn(lines, locale);
  if (columns) return columns.slice(0, MOST_PASTED);
  const cells = lines.flatMap((line) => line.split(/[\t;,]/)).map((cell) => cell.trim());
  const members = cells.flatMap((cell) =>
    cell.match(/^(?:<@!?\d+>\s*){2,}$/) ? cell.split(/\s+|(?<=>)(?=<)/) : [cell],
  );
  return members
    .filter((cell) => cell !== '')
    .slice(0, MOST_PASTED)
    .map((cell) => pasted(cell, null));
}
