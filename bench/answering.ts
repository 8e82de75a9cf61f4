import { createInterface } from 'node:readline';

/**
 * Says the first line and then answers each line of standard input with a line. Its end ends the
 * process: it also ends when the benchmark is killed, so no process outlives that.
 */
export function answerLines(ready: unknown, answer: (line: string) => Promise<unknown>): void {
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => {
    answer(line).then(say, (error) => {
      console.error(error);
      process.exit(1);
    });
  });
  input.once('close', () => process.exit(0));
  say(ready);
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
