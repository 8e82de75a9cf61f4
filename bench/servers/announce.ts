import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** Printed by a server once it listens: its URL and its keys by realm. */
export interface Ready {
  url: string;
  keys: Readonly<Record<string, string>>;
  /** The path of its database, if it has one. */
  database?: string;
}

/**
 * Prints one line when the server is ready. From then on every line of standard input is answered
 * with the processor time used so far, in microseconds. The process exits when its input closes, so
 * it never outlives the benchmark.
 */
export function announce(ready: Ready, stop: () => Promise<void> = async () => {}): void {
  const input = createInterface({ input: process.stdin });
  input.on('line', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write(`${user + system}\n`);
  });
  input.once('close', () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** Listens on a free loopback port. */
export async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
