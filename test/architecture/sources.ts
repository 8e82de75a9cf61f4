import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The source files of the repository and the imports between them. */
export const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = [
  'src',
  'test',
  'bench',
  'soak',
  'siege',
  'scripts',
  'bin',
  'client',
  'discord',
  'console',
  'examples',
];

interface Source {
  /** Relative to the root. */
  path: string;
  text: string;
}

interface Import {
  from: string;
  /** A file, relative to the root, or the name of a package. */
  to: string;
  typeOnly: boolean;
}

const filesLike = (pattern: RegExp): Source[] =>
  FOLDERS.flatMap((folder) => {
    const names = readdirSync(ROOT).includes(folder)
      ? readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      : [];
    // The tests' local chain has its own packages, and client/dist is made of client/src.
    const own = names.filter((name) => !/node_modules|^dist\//.test(name));
    return own.filter((name) => pattern.test(name)).map((name) => `${folder}/${name}`);
  }).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

export const sources = filesLike(/\.(ts|tsx|mjs)$/);
export const styles = filesLike(/\.css$/);

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

export const imports: Import[] = sources.flatMap(({ path, text }) =>
  Array.from(text.matchAll(IMPORT), ([, type, name = '']) => ({
    from: path,
    to: name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), name)) : name,
    typeOnly: type !== undefined,
  })),
);

const next = Map.groupBy(imports, ({ from }) => from);

/** The files and packages that a file imports, directly or not; `follow` limits the search. */
export function importsOf(file: string, follow: (file: string) => boolean = () => true): string[] {
  const found = new Set<string>();
  const visit = (from: string): void => {
    for (const { to, typeOnly } of next.get(from) ?? []) {
      if (typeOnly || found.has(to)) continue;
      found.add(to);
      if (follow(to)) visit(to);
    }
  };
  visit(file);
  return [...found];
}
