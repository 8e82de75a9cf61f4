import { mkdirSync, writeFileSync } from 'node:fs';
import { bundleConsole } from '../src/http/console.ts';

/** Builds the console for the package, where its sources and the bundler are missing. */
const folder = new URL('../dist/console/', import.meta.url);
const { script, styles } = await bundleConsole();
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('main.js', folder), script);
writeFileSync(new URL('styles.css', folder), styles);
