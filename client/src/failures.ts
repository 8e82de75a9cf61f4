import { RealmkeepError } from './problem.ts';
import type { Call } from './request.ts';

/** The failure of a call that was answered, but not as it should be. */
export function failureOf(call: Call, response: Response, text: string): RealmkeepError {
  const { status, headers } = response;
  const retryAfterMs = millisecondsIn(headers.get('retry-after'));
  try {
    const problem = JSON.parse(text);
    if (typeof problem.code === 'string' && typeof problem.message === 'string') {
      return errorOf(call, { ...problem, status, ...(retryAfterMs && { retryAfterMs }) });
    }
  } catch {
    // Not even JSON: then it is no problem of ours.
  }
  // Browsers do not tell where to.
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return redirected(call, status, headers.get('location') ?? 'another address');
  }
  return unexpected(call, status, text, retryAfterMs);
}

type Members = ConstructorParameters<typeof RealmkeepError>[1];

const errorOf = ({ operation, idempotencyKey }: Call, members: Members): RealmkeepError =>
  new RealmkeepError(operation, { ...members, ...(idempotencyKey && { idempotencyKey }) });

/** The milliseconds that a Retry-After header asks for: seconds, or a date; 0 if it does not. */
function millisecondsIn(header: string | null): number {
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : 1_000 * seconds;
  return Math.max(0, ms || 0);
}

export const unexpected = (
  call: Call,
  status: number,
  text: string,
  retryAfterMs = 0,
): RealmkeepError => {
  const message = `This is no answer of Realmkeep (status ${status}): ${text.slice(0, 200)}`;
  return errorOf(call, { code: 'unexpected-answer', status, message, retryAfterMs });
};

const redirected = (call: Call, status: number, to: string): RealmkeepError => {
  const message = `${originOf(call)} redirects to ${to}. Use the url of the service itself.`;
  return errorOf(call, { code: 'unexpected-answer', status, message });
};

export const lost = (call: Call, cause: unknown): RealmkeepError => {
  const message = `No answer from ${originOf(call)}: ${reasonOf(cause)}`;
  return errorOf(call, { code: 'connection-failed', message, cause });
};

export const timedOut = (call: Call, timeoutMs: number): RealmkeepError =>
  errorOf(call, { code: 'timed-out', message: `No answer within ${timeoutMs} ms` });

const originOf = ({ url }: Call): string => (url.startsWith('/') ? 'here' : new URL(url).origin);

/** Node hides the reason in the cause of "fetch failed", whose message may be empty. */
function reasonOf(error: unknown): unknown {
  const { cause } = Object(error) as { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || error;
}
