import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** A fenced block, or a comment that starts with `<!-- bash`. */
export interface Block {
  language: string;
  /** The rest of the info string. */
  words: string[];
  text: string;
  /** The line of the fence, counted from 1. */
  line: number;
  /** The nearest heading above the block. */
  section: string;
}

export interface Page {
  path: string;
  text: string;
  blocks: Block[];
}

/** The first line of a block: its indentation, fence, language and the rest of the info string. */
const OPENING = /^( *)(```|<!-- (?=bash$))(\S*) *(.*)$/;

function blocksOf(path: string, text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let section = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (/^#+ /.test(line)) section = line;
    const [opening, indent = '', fence, language = '', info = ''] = OPENING.exec(line) ?? [];
    if (opening === undefined) continue;
    const end = lines.indexOf(indent + (fence === '```' ? fence : '-->'), index + 1);
    if (end === -1) throw new Error(`${path}:${index + 1} opens a block that has no end`);
    const body = lines.slice(index + 1, end).map((each) => `${each.slice(indent.length)}\n`);
    const words = info.split(' ').filter(Boolean);
    blocks.push({ language, words, text: body.join(''), line: index + 1, section });
    index = end;
  }
  return blocks;
}

/** Every Markdown page of the repository. */
export const pages: Page[] = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'client/*.md'], {
  cwd: ROOT,
})
  .toSorted()
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, blocks: blocksOf(path, text) };
  });

const CALLERS_READ =
  /^docs\/(concepts|events|faq|interface|offers|points|wallets|web3|webhooks)\.md$/;
export const isForCallers = ({ path }: Page): boolean => CALLERS_READ.test(path);

/** What newcomers read, in this order, and paste into one folder. */
export const forNewcomers: readonly Page[] = [
  ...['README.md', 'docs/client.md', 'docs/plain-http.md', 'docs/moving.md'],
  'docs/recipes/README.md',
  ...pages.map(({ path }) => path).filter((path) => /^docs\/recipes\/[a-z]/.test(path)),
].flatMap((path) => pages.filter((page) => page.path === path));

/** The text without its blocks and comments. */
export const proseOf = ({ text }: Page): string =>
  text.replaceAll(/^( *)```[^\n]*\n.*?^\1```$/gms, '').replaceAll(/<!--.*?-->/gs, '');

/** A row of a table, by the names of the columns. */
export type Row = Record<string, string>;

/** The tables of a page whose first column has this name. */
export function tablesOf(page: Page, firstColumn: string): Row[][] {
  const tables = proseOf(page).match(/(?:^\|.*\|\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [head = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf);
    if (head[0] !== firstColumn) return [];
    const named = (cells: string[]) => head.map((name, at) => [name, cells[at] ?? '']);
    return [rows.map((cells) => Object.fromEntries(named(cells)))];
  });
}

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
