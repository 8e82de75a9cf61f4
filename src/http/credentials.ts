import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../contract/problems.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** The key in the Authorization header, with or without `Bearer`. */
export function presentedKey(request: IncomingMessage): string {
  const header = request.headers.authorization;
  if (header === undefined || header === '') {
    throw new ProblemError('unauthorized', { reason: 'The request has no API key.' });
  }
  if (isRepeated(request.rawHeaders)) {
    throw new ProblemError('unauthorized', {
      reason: 'The request has more than one Authorization header.',
    });
  }
  const bearer = BEARER.exec(header)?.[1];
  return bearer ?? header.trim();
}

/** Node keeps only the first of several, but which key was meant must not be guessed. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 13 && name.toLowerCase() === 'authorization') seen += 1;
  }
  return seen > 1;
}
