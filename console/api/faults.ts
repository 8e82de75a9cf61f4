import { isProblem, type ProblemCode } from '@realmkeep/client';

/** The field that a refusal is about, where it is about one. */
const FIELDS: Partial<Record<ProblemCode, string>> = {
  'insufficient-points': 'tokens',
  'balance-limit': 'tokens',
  'too-many-tokens': 'tokens',
  'hold-exceeded': 'tokens',
  'reversal-exceeded': 'tokens',
  'recipient-not-found': 'recipientId',
  'self-transfer': 'recipientId',
  'member-exists': 'id',
  'realm-exists': 'id',
  'realm-point-exists': 'id',
  'offer-exists': 'id',
  'wallet-taken': 'address',
};

/** A refusal at the fields of a form, by their names; empty if it concerns none of them. */
export function faultsOf(error: Error, fields: string[]): Map<string, string> {
  if (!isProblem(error)) return new Map();
  const field = FIELDS[error.code];
  if (field !== undefined && fields.includes(field)) return new Map([[field, sentenceOf(error)]]);
  const errors = error.errors ?? [];
  const found = errors.flatMap(({ pointer, detail }): [string, string][] => {
    const name = fields.find((one) => `${pointer}/`.startsWith(`/${one}/`));
    return name ? [[name, `This ${detail}.`]] : [];
  });
  return found.length === errors.length ? new Map(found) : new Map();
}

/** The faults of the entries of a list that was sent, by their place in it. */
export function entryFaults(error: Error, list: string): Map<number, string> {
  const errors = isProblem(error) && error.code === 'invalid-request' ? (error.errors ?? []) : [];
  const found = errors.flatMap(({ pointer, detail }): [number, string][] => {
    const [, name, index = '', ...field] = pointer.split('/');
    const isEntry = name === list && /^\d+$/.test(index);
    return isEntry ? [[Number(index), `${field.join('.')} ${detail}`.trim()]] : [];
  });
  const byPlace = Map.groupBy(found, ([place]) => place);
  return new Map(
    [...byPlace].map(([place, some]) => [place, `${some.map(([, say]) => say).join('; ')}.`]),
  );
}

export const isRealmGone = (error: Error | undefined): boolean =>
  isProblem(error) && error.code === 'realm-not-found';

/**
 * Whether the service has refused because nobody is signed in, or it is not allowed, or not there:
 * to ask again would not help. A proxy that answers for it says nothing of the kind.
 */
export const isRefused = (error: unknown): boolean =>
  isProblem(error) && error.code !== 'unexpected-answer' && [401, 403, 404].includes(error.status);

const UNKNOWN_OUTCOMES: ProblemCode[] = [
  'connection-failed',
  'timed-out',
  'unexpected-answer',
  'outcome-unknown',
  'internal',
];

/** Whether a change that failed may have been made nevertheless. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  !isProblem(error) || UNKNOWN_OUTCOMES.includes(error.code);

/** What a program would call next, which is of no use to the reader. */
const CALL = /\b(?:GET|POST|PUT|PATCH|DELETE) (?:…|\/)|"Authorization:/;

/** A failure in a sentence for the reader. */
export function sentenceOf(error: Error): string {
  if (isProblem(error) && (error.code === 'connection-failed' || error.code === 'timed-out')) {
    return 'The service cannot be reached. Try again in a moment.';
  }
  const clauses = error.message.split(/(?<=[.;]) /);
  const said = clauses.filter((clause) => !CALL.test(clause)).join(' ');
  return said.replace(/;$/, '.') || error.message;
}

/** Of a change that is not sent again under its idempotency key. */
export const MAY_BE_DONE = 'No answer came, so it may have been done. Look before you repeat it.';

/** The same of a change, whose button sends it again under the same idempotency key. */
export const changeSentenceOf = (error: Error): string =>
  isProblem(error) && isOutcomeUnknown(error) && error.code !== 'internal'
    ? 'No answer came, so it may have been done. Press the button again: it is done only once.'
    : sentenceOf(error);
