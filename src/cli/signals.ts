import { once } from 'node:events';
import { isRunByNpm } from '../config/config.ts';
import type { Service } from '../service.ts';
import { INTERRUPTED } from './errors.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** The longest a stop may take; the service closes its last connections a second earlier. */
const LIMIT_MS = 9_900;
/** One Ctrl-C can arrive twice, from the terminal and from a launcher such as npm. */
const ECHO_MS = 500;
const PARENT_CHECK_MS = 500;

/** Aborted by the first signal to stop; a second signal ends the process at once. */
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
  onParentGone(() => {
    // After Ctrl-C the parent may be gone before the service has stopped.
    if (!controller.signal.aborted) onSignal();
  });
  return controller.signal;
}

/**
 * npm runs a script in a shell, and sends a signal to that shell only. Some shells, such as dash,
 * end without forwarding it, and their children get another parent. On Windows the id of the parent
 * never changes, so this has no effect there.
 */
function onParentGone(stop: () => void): void {
  if (!isRunByNpm()) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}

function giveUp(): void {
  process.stderr.write('realmkeep: Stopping took too long; exiting now.\n');
  process.exit(1);
}

/** Waits for the signal, then stops the service gracefully. */
export async function serveUntil(signal: AbortSignal, service: Service): Promise<void> {
  await abortOf(signal);
  await service.stop();
}

/** Resolves once the signal is aborted. */
export async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/**
 * Aborted by a signal to stop, for work that ends by itself when aborted; if it does not in time,
 * the process exits with `lastWords`. Disposing restores the default effect of signals, unless one
 * has arrived: the work is then about to report its end, and a second must not prevent that.
 */
export function interruption(lastWords: string): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const { signal } = controller;
  const onSignal = (): void => {
    if (signal.aborted) return;
    setTimeout(() => {
      process.stderr.write(`\nrealmkeep: ${lastWords}\n`);
      process.exit(INTERRUPTED);
    }, LIMIT_MS).unref();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  const restore = (): void => {
    if (signal.aborted) return;
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  return { signal, [Symbol.dispose]: restore };
}
