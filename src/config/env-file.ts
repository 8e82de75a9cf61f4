import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** In the current folder, where the default database is, too. */
const PATH = '.env';

interface EnvFile {
  /** What the file sets and the environment does not. */
  values: NodeJS.ProcessEnv;
  warnings: readonly string[];
}

export const NO_ENV_FILE: EnvFile = { values: {}, warnings: [] };

/** A secret is set by NAME or by NAME_FILE, so that either takes the place of both. */
const twinOf = (name: string): string =>
  name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;

export function readEnvFile(environment: NodeJS.ProcessEnv, settings: readonly string[]): EnvFile {
  const isSet = (name: string): boolean => environment[name] !== undefined;
  const entries = Object.entries(parseEnv(textOf(PATH)));
  const known = settings.flatMap((name) => [name, `${name}_FILE`]);
  const unknown = entries.map(([name]) => name).filter((name) => !known.includes(name));
  const warnings = unknown.flatMap((name) => {
    const meant = known.find((setting) => isMisspelt(name, setting));
    return meant ? [`${PATH} sets ${name}, which is not a setting (is it ${meant}?)`] : [];
  });
  const unset = entries.filter(([name]) => !isSet(name) && !isSet(twinOf(name)));
  return { values: Object.fromEntries(unset), warnings };
}

/** Empty if there is no such file, or it is a folder: Python keeps its packages in one. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR') return '';
    throw error;
  }
}

/** Whether the letters are nearly those of the setting; other programs may share the file. */
function isMisspelt(name: string, setting: string): boolean {
  const [typed, meant] = [lettersOf(name), lettersOf(setting)];
  const isSwapped = typed.toSorted().join('') === meant.toSorted().join('');
  return isSwapped || changesBetween(typed, meant) <= (meant.length > 5 ? 2 : 1);
}

const lettersOf = (name: string): string[] => [...name.toUpperCase().replaceAll(/[^A-Z]/g, '')];

/** The fewest letters to add, remove or replace. */
function changesBetween(from: readonly string[], to: readonly string[]): number {
  let row = [...to.keys(), to.length];
  for (const [index, letter] of from.entries()) {
    const next = [index + 1];
    for (const [at, other] of to.entries()) {
      const replaced = (row[at] as number) + Number(letter !== other);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
