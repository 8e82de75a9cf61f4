import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server tells once it listens: where, and a key that it takes. */
export interface Ready {
  url: string;
  key: string;
}

/**
 * Prints one line when the server is ready and ends the process when standard input closes. That
 * is also what happens when the benchmark is killed, so no server outlives it.
 */
export function announce(ready: Ready, stop: () => Promise<void> = async () => {}): void {
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.stdin.resume().once('end', () => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

/** Listens on a free port of this machine alone. */
export async function listenLocally(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
