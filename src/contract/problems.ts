import { type Extra, problems } from './problem-kinds.ts';

export { problems };

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
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

export interface RequestFault {
  pointer: string;
  detail: string;
}

export const invalidRequest = (errors: RequestFault[]): ProblemError =>
  new ProblemError('invalid-request', { errors });
