import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi/document.ts';

/** Writes openapi.json; with --check it only reports whether the file is up to date. */
const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (stored() !== text) {
    console.error('openapi.json differs from src/contract: run `npm run openapi` and commit it.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}

function stored(): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
