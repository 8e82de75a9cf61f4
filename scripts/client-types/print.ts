/** Helpers that print TypeScript in lines of at most 100 characters. */
const WIDTH = 100;
const LONGEST_END = ')[] | null | undefined;'.length;

export const indented = (text: string, by = '  '): string => text.replaceAll(/^(?=.)/gm, by);

/** A text of several lines without the indentation that its place in a program gives it. */
export const outdented = (text: string): string => text.slice(1).replaceAll(/^ {2}/gm, '');

/** A comment above a declaration; none without a text. `depth` is where it will be indented to. */
export function comment(text: string | undefined, depth: number): string {
  if (!text) return '';
  const safe = text.replaceAll('*/', '*\\/');
  if (safe.length + 7 + depth <= WIDTH && !safe.includes('\n')) return `/** ${safe} */\n`;
  const lines = safe.split('\n').flatMap((line) => wrapped(line.split(' '), WIDTH - 3 - depth));
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** A union of types, over several lines if it does not fit behind `before` characters. */
export function union(types: readonly string[], before: number, depth: number): string {
  const line = types.join(' | ');
  if (before + line.length + 1 <= WIDTH) return line;
  const words = types.map((type) => `| ${type}`);
  // Leaves room for what may follow.
  words.push(`${words.pop()}${' '.repeat(LONGEST_END)}`);
  const rows = wrapped(words, WIDTH - 3 - depth);
  return `\n${indented(rows.join('\n')).trimEnd()}`;
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

export const quoted = (text: string): string => `'${text}'`;

export const propertyName = (name: string): string => (isName(name) ? name : quoted(name));
