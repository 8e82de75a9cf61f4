import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lookUps, statements } from '../../src/store/statement.ts';

const SOURCES = fileURLToPath(new URL('../../src/store/', import.meta.url));
const DEFINES = /\b(query|change|lookUp|selectRows|rowsBy)[<(]/;

/** Loads all files that define statements for both databases; each registers its own. */
for (const file of globSync(['*.ts', 'readers/*.ts'], { cwd: SOURCES })) {
  if (DEFINES.test(readFileSync(SOURCES + file, 'utf8'))) await import(SOURCES + file);
}

export { lookUps, statements };
