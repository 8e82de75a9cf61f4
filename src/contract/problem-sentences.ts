import { MAX_FAULTS } from './request-fault.ts';

/** The longer sentences of problems. */
type Extra = Record<string, unknown>;

const points = (count: unknown): string => (count === 1 ? '1 point' : `${count} points`);
const requested = (x: Extra): string =>
  x.requested === 1 ? '1 was requested' : `${x.requested} were requested`;

export function insufficientPoints(x: Extra): string {
  const kind = x.realmPointId ? ` of the kind "${x.realmPointId}"` : '';
  const notes = [
    ...(x.held ? [`${x.held} of them on hold`] : []),
    ...(x.minimumBalance ? [`the minimum is ${x.minimumBalance}`] : []),
  ];
  const noted = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return `Member ${x.memberId} has ${points(x.balance)}${kind}${noted}; ${requested(x)}.`;
}

export const BOUNDS_CROSSED =
  'minimumBalance {minimumBalance} of "{realmPointId}" would exceed its maximumBalance ' +
  '{maximumBalance}.';

export const reversalExceeded = (x: Extra): string =>
  x.remaining === 0
    ? `Transaction ${x.transactionId} has already been fully reversed.`
    : `Only ${points(x.remaining)} of transaction ${x.transactionId} can still be reversed.`;

export const holdExceeded = (x: Extra): string =>
  `Hold ${x.holdId} has ${points(x.remaining)} left, but ${requested(x)}.`;

export const unavailable =
  (sentence: string) =>
  (x: Extra): string =>
    `${x.reason ?? sentence} Nothing was changed. Try again after the seconds in Retry-After.`;

export const OUTCOME_UNKNOWN =
  'The database became unavailable during the write, which may or may not have succeeded. ' +
  'After the seconds in Retry-After, send the request again with the same Idempotency-Key: ' +
  'it takes effect once. If it had none, check first whether it succeeded.';

/** What a challenge is bound to, by `field`. */
const boundTo: Record<string, string> = {
  realm: 'It was issued for another realm.',
  member: 'It was issued for another member.',
  address: 'It was issued for another address.',
  domain: 'It names a different domain than the issued one.',
  text: 'The message differs from the issued one.',
};

export const challengeMismatch = (x: Extra): string =>
  `The challenge does not match. ${boundTo[String(x.field)]}`;

export const REALM_BEING_DELETED =
  'The former realm "{realmId}" is still being deleted. Try again in a moment.';

export const REALM_ARCHIVED =
  'Realm "{realmId}" is archived: it can be read, but not changed. The root key can unarchive it ' +
  'with POST /api/v4/realms/{realmId}/unarchive.';

export const REALM_POINT_ARCHIVED =
  'The kind of points "{realmPointId}" is archived: its points can be read, but not moved. ' +
  'Unarchive it with PATCH …/points/{realmPointId} and { "archived": false }.';

/** The first fault in words, for a person who sees nothing else, and how many more there are. */
export function invalidRequest(x: Extra): string {
  const [first, ...others] = (x.errors ?? []) as { pointer: string; detail: string }[];
  if (!first) return 'The request is not valid.';
  const fault = `${placeName(first.pointer)} ${first.detail}.`;
  if (others.length === 0) return fault;
  const atLeast = others.length + 1 === MAX_FAULTS ? 'at least ' : '';
  const more =
    others.length === 1 ? 'is 1 more fault' : `are ${atLeast}${others.length} more faults`;
  return `${fault} There ${more}.`;
}

/** `/entries/0/tokens` as `entries[0].tokens`, and `/query/limit` as `limit`. */
const placeName = (pointer: string): string =>
  pointer === ''
    ? 'The request'
    : pointer
        .replace(/^\/(?:path|query|header)\//, '/')
        .slice(1)
        .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
        .replaceAll('/', '.');
