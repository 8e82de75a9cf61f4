import { readFileSync, writeFileSync } from 'node:fs';
import { clientTypes } from './client-types/generate.ts';

/** Writes the generated file of the client; with --check it only reports whether it is current. */
const file = new URL('../client/src/generated.ts', import.meta.url);
const text = clientTypes();

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('client/src/generated.ts is not current: run `npm run client-types`, commit it.');
  process.exitCode = 1;
}
