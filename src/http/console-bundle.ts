import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The two files of the console. */
export interface ConsoleBundle {
  script: Uint8Array;
  styles: Uint8Array;
}

/** In the package, whose compiled files are beside those of this folder. */
const BUILT = new URL('../console/', import.meta.url);
/** In a clone, which is run without a build. */
const SOURCES = new URL('../../console/', import.meta.url);

/** What was built for the package, or else built now from the sources. */
export async function loadConsole(): Promise<ConsoleBundle> {
  if (!existsSync(BUILT)) return bundleConsole();
  return {
    script: readFileSync(new URL('main.js', BUILT)),
    styles: readFileSync(new URL('styles.css', BUILT)),
  };
}

/** Bundles the sources of the console, which takes less than a second. */
export async function bundleConsole(): Promise<ConsoleBundle> {
  const { build, stop } = await import('esbuild');
  const entry = (name: string): string => fileURLToPath(new URL(name, SOURCES));
  try {
    const { outputFiles } = await build({
      entryPoints: [entry('main.tsx'), entry('styles.css')],
      outdir: 'out',
      write: false,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      logLevel: 'silent',
    });
    const output = (end: string): Uint8Array => {
      const file = outputFiles.find(({ path }) => path.endsWith(end));
      if (!file) throw new Error(`the console has no ${end}`);
      return file.contents;
    };
    return { script: output('main.js'), styles: output('styles.css') };
  } finally {
    // It runs in a process of its own, which nobody needs any more.
    await stop();
  }
}
