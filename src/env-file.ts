import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** In the current folder, where the default database is, too. */
const ENV_FILE = '.env';

/** A secret is set by NAME or by NAME_FILE, so that either takes the place of both. */
const twinOf = (name: string): string =>
  name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;

/** What the file sets and the environment does not. A missing file sets nothing. */
export function readEnvFile(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSet = (name: string): boolean => environment[name] !== undefined;
  const entries = Object.entries(parseEnv(textOf(ENV_FILE)));
  return Object.fromEntries(entries.filter(([name]) => !isSet(name) && !isSet(twinOf(name))));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A folder of that name is no settings of ours: Python keeps its packages in one.
    if (['ENOENT', 'EISDIR'].includes(code)) return '';
    throw error;
  }
}
