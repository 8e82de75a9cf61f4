import { once } from 'node:events';
import type { Service } from '../service.ts';

/** A whole stop takes this long at most; the service cuts its last connections a second earlier. */
const LIMIT_MS = 9_900;
/** One Ctrl-C may arrive twice, from the terminal and from a launcher such as npm. */
const ECHO_MS = 500;

/** Aborted by the first signal to stop. A second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt = 0;
  const onSignal = (): void => {
    if (!controller.signal.aborted) {
      firstAt = performance.now();
      controller.abort();
    } else if (performance.now() - firstAt > ECHO_MS) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return controller.signal;
}

/** Waits for the signal, then stops the service gracefully. */
export async function serveUntil(signal: AbortSignal, service: Service): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  const limit = setTimeout(() => {
    console.error('realmkeep: The storage did not close in time; ending without it.');
    process.exit(1);
  }, LIMIT_MS);
  await service.stop();
  clearTimeout(limit);
}
