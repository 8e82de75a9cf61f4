import { once } from 'node:events';
import { isRunByNpm } from '../config/config.ts';
import { INTERRUPTED } from './errors.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** The longest a stop may take; the service closes its last connections a second earlier. */
const LIMIT_MS = 9_900;
/** One Ctrl-C can arrive twice, from the terminal and from a launcher such as npm. */
const ECHO_MS = 500;
const PARENT_CHECK_MS = 500;

/** Aborted by the first signal to stop; a second signal ends the process at once. */
export function stopSignal(): AbortSignal {
  const { signal, onSignal } = abortedBySignals('Stopping took too long; exiting now.', 1, true);
  onParentGone(() => {
    // After Ctrl-C the parent may be gone before the service has stopped.
    if (!signal.aborted) onSignal();
  });
  return signal;
}

/**
 * Aborted by a signal to stop, for work that ends by itself when aborted; if it does not in time,
 * the process exits with `lastWords`. Disposing restores the default effect of signals, unless one
 * has arrived: the work is then about to report its end, and a second must not prevent that.
 */
export function interruption(lastWords: string): Disposable & { signal: AbortSignal } {
  const { signal, onSignal } = abortedBySignals(lastWords, INTERRUPTED);
  const restore = (): void => {
    if (signal.aborted) return;
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  return { signal, [Symbol.dispose]: restore };
}

function abortedBySignals(lastWords: string, exitCode: number, endsAtSecond = false) {
  const controller = new AbortController();
  const { signal } = controller;
  let abortedAt = 0;
  const giveUp = (): void => {
    process.stderr.write(`\nrealmkeep: ${lastWords}\n`);
    process.exit(exitCode);
  };
  const onSignal = (): void => {
    const now = performance.now();
    if (signal.aborted) {
      if (endsAtSecond && now - abortedAt > ECHO_MS) process.exit(exitCode);
      return;
    }
    abortedAt = now;
    setTimeout(giveUp, LIMIT_MS).unref();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return { signal, onSignal };
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

export async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
