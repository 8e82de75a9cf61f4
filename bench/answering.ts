import { createInterface } from 'node:readline';

/**
 * Prints a first line and then answers each line of standard input with a line. The process exits
 * when its input closes, so it never outlives the benchmark.
 */
export function answerLines(ready: unknown, answer: (line: string) => Promise<unknown>): void {
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    answer(line).then(print, (error) => {
      console.error(error);
      process.exit(1);
    });
  });
  input.once('close', () => process.exit(0));
  print(ready);
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
