import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundleConsole } from '../src/http/console.ts';

/** Builds the console for the package, where its sources and the bundler are missing. */
const folder = new URL('../dist/console/', import.meta.url);
const files = await bundleConsole();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, contents] of files) writeFileSync(new URL(name, folder), contents);
