import type { Config } from '../config/config.ts';
import { about, type Finding } from './finding.ts';

const ANSWER_MS = 5_000;
const PROBLEM = 'urn:realmkeep:problem:';

/** Asks the service whether it is ready, if one runs at the configured address. */
export async function serviceFinding({ host, port }: Config): Promise<Finding> {
  const { ok, fault, skipped } = about('service');
  if (port === 0) return skipped('PORT is 0, so nobody knows where it listens.');
  const url = `http://${reachable(host)}:${port}`;
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const answer = (await response.json()) as Record<string, unknown> | null;
    if (answer?.status === 'ready') return ok(`A service runs at ${url} and is ready.`);
    if (String(answer?.type).startsWith(PROBLEM)) {
      return fault(`A service runs at ${url}, but is not ready: ${answer?.reason ?? ''}`);
    }
    return fault(otherProgram(url));
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') return skipped(`No service runs at ${url}.`);
    if ((error as Error).name !== 'TimeoutError') return fault(otherProgram(url));
    return fault(`What listens at ${url} does not answer within ${ANSWER_MS / 1_000} seconds.`);
  }
}

const otherProgram = (url: string): string =>
  `Another program listens at ${url}. Stop it, or set PORT and HOST.`;

/** A host that means every address is reached at a loopback one. */
function reachable(host: string): string {
  const known: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const address = known[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
}

/** A name with several addresses fails with one error for each. */
function codeOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: NodeJS.ErrnoException | AggregateError };
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first?.code;
}
