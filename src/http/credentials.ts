import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** The key of the one Authorization header: behind `Bearer`, or bare. */
export function presentedKey(request: IncomingMessage): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') {
    throw new ProblemError('unauthorized', { reason: 'There is no API key.' });
  }
  if (isRepeated(request.rawHeaders)) {
    throw new ProblemError('unauthorized', {
      reason: 'There is more than one Authorization header.',
    });
  }
  const bearer = BEARER.exec(header)?.[1];
  return bearer ?? header.trim();
}

/** Node keeps the first of several; a request that names two keys must not be guessed at. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') seen += 1;
  }
  return seen > 1;
}
