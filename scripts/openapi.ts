import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/contract/openapi.ts';

/** Writes openapi.json; with --check it only says whether the file still tells the truth. */
const file = new URL('../openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (kept() !== text) {
    console.error('openapi.json differs from src/contract: run `npm run openapi` and commit it.');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}

function kept(): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
