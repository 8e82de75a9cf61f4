import type { Extra, ProblemKind } from './problem-kind.ts';
import { problemKinds } from './problem-kinds.ts';
import type { RequestFault } from './request-fault.ts';

/** The titles that are more than the code in words. */
const titles: Record<string, string> = {
  'malformed-json': 'Malformed JSON',
  'realm-point-not-found': 'Kind of points not found',
  'realm-point-exists': 'Kind of points exists',
  'self-transfer': 'Transfer to oneself',
  internal: 'Internal error',
};

const inWords = (code: string): string =>
  code.charAt(0).toUpperCase() + code.slice(1).replaceAll('-', ' ');

/** Every problem by its code, with its title. */
export const problems = Object.fromEntries(
  Object.entries(problemKinds).map(([code, each]) => [
    code,
    { ...each, title: titles[code] ?? inWords(code) },
  ]),
) as Record<keyof typeof problemKinds, ProblemKind & { title: string }>;

export type ProblemCode = keyof typeof problems;

/** The body of a problem (RFC 9457). `reason` and `allowed` only appear within the sentence. */
export function problemBody(code: ProblemCode, extra: Extra, requestId: string) {
  const { status, title, detail: sentence } = problems[code];
  const detail = sentence(extra);
  const { reason: _reason, allowed: _allowed, ...shown } = extra;
  return {
    type: `urn:realmkeep:problem:${code}`,
    title,
    status,
    detail,
    // Existing clients show this member to people.
    message: detail,
    code,
    requestId,
    ...shown,
  };
}

/** Answered as a problem; for everything above the domain. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly extra: Extra;

  constructor(code: ProblemCode, extra: Extra = {}) {
    super(problems[code].detail(extra));
    this.code = code;
    this.extra = extra;
  }
}

export const invalidRequest = (errors: RequestFault[]): ProblemError =>
  new ProblemError('invalid-request', { errors });
