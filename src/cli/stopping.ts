import { once } from 'node:events';
import type { Service } from '../service.ts';
import { INTERRUPTED } from './errors.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** From a signal to the end at most; the service cuts its last connections a second earlier. */
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
      setTimeout(giveUp, LIMIT_MS).unref();
      controller.abort();
    } else if (performance.now() - firstAt > ECHO_MS) {
      process.exit(1);
    }
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return controller.signal;
}

function giveUp(): void {
  process.stderr.write('realmkeep: The stop took too long; ending without the rest of it.\n');
  process.exit(1);
}

/** Waits for the signal, then stops the service gracefully. */
export async function serveUntil(signal: AbortSignal, service: Service): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  await service.stop();
}

/**
 * Aborted by Ctrl-C or another signal to stop, for work that then ends by itself, or is ended with
 * these last words if it does not. `end` lets a signal end the process again, unless one came: then
 * the process ends anyway, and a second one, as a launcher sends it, must not end it before its
 * last words.
 */
export function interruption(lastWords: string): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) return;
    setTimeout(() => {
      process.stderr.write(`\nrealmkeep: ${lastWords}\n`);
      process.exit(INTERRUPTED);
    }, LIMIT_MS).unref();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const { signal } = controller;
  const end = (): void => {
    if (signal.aborted) return;
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  return { signal, end };
}
