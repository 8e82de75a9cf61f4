import { failuresOf } from './cases.ts';

/** Runs all cases in Node, Bun or Deno, and prints what failed. */
console.log(JSON.stringify(await failuresOf(JSON.parse(process.argv[2] ?? ''))));
