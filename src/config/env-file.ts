import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { meantBy } from '../domain/rules/spelling.ts';

/** In the current folder, where the default database is, too. */
const PATH = '.env';

interface EnvFile {
  /** What the file sets and the environment does not. */
  values: NodeJS.ProcessEnv;
  warnings: readonly string[];
}

export const NO_ENV_FILE: EnvFile = { values: {}, warnings: [] };

/** Of programs that call the service, and of the launcher. */
const OF_PROGRAMS: ReadonlySet<string> = new Set([
  'REALMKEEP_URL',
  'REALMKEEP_KEY',
  'REALMKEEP_REALM',
  'REALMKEEP_LAUNCHED',
]);

/** A secret is set by NAME or by NAME_FILE, so that either takes the place of both. */
const twinOf = (name: string): string =>
  name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;

export function readEnvFile(environment: NodeJS.ProcessEnv, settings: readonly string[]): EnvFile {
  const isSet = (name: string): boolean => environment[name] !== undefined;
  const entries = Object.entries(parseEnv(textOf(PATH)));
  const known = settings.flatMap((name) => [name, `${name}_FILE`]);
  const unset = entries.filter(([name]) => !isSet(name) && !isSet(twinOf(name)));
  const warnings = [
    ...misspelt(
      PATH,
      entries.map(([name]) => name),
      known,
    ),
    ...misspelt('The environment', Object.keys(environment), known),
  ];
  return { values: Object.fromEntries(unset), warnings };
}

/** Other programs have settings in the same place, so only what looks like one of ours counts. */
function misspelt(where: string, names: readonly string[], known: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = meantBy(name.replace(/^REALMKEEP_/, ''), known);
    if (meant) return [`${where} sets ${name}, which is not a setting (is it ${meant}?)`];
    const isOurs = name.startsWith('REALMKEEP_') && !OF_PROGRAMS.has(name);
    return isOurs ? [`${where} sets ${name}, which is not a setting`] : [];
  });
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
