import {
  AGAIN,
  type Extra,
  MISMATCHES,
  messages,
  noMember,
  notesOn,
  points,
  RETRY_AFTER,
  type Sentence,
  sentenceFrom,
  wasGone,
} from './messages.ts';
import { offerMessages, offerSentences } from './offer-problems.ts';
import { rawJSON } from './sums.ts';

/** What is wrong with one place of a request. */
export interface RequestFault {
  pointer: string;
  detail: string;
}

/** Enough to act on, even if all entries of a list are invalid. */
export const MAX_FAULTS = 100;

const REQUEST_NEW = 'Request a new one with POST …/wallets/challenge.';

/** Every problem by its status and code, with the sentence for who writes the program. */
const sentences = {
  400: {
    'malformed-json': (x) => String(x.reason ?? 'Send valid JSON in UTF-8.'),
    'invalid-request': inWords,
  },
  401: {
    unauthorized: (x) =>
      `${x.reason ?? 'The API key is not valid.'} ` +
      `Send ${x.allowed ?? '"Authorization: Bearer <key>" with a valid API key'}.`,
    'session-ended': 'The session has ended. Sign in again.',
    'code-not-valid': 'This link has expired or was already used. Ask for a new one.',
    'passkey-not-valid': ({ reason }) => `This passkey ${reason}. Try again, or use another one.`,
  },
  403: {
    forbidden: 'This API key belongs to another realm. Use a key of the realm in the path.',
    'insufficient-scope': ({ required, allowed = 'the root key' }) =>
      `This call needs ${required === 'root' ? allowed : `a key with scope "${required}"`}.`,
    'person-required': 'A key has no passkeys. Sign in as a person, by an invitation.',
    'console-header-missing':
      'A call that is signed by the cookie of a session needs the header "x-realmkeep-console: 1".',
  },
  404: {
    'not-found': 'There is nothing at this path. See /docs for all paths.',
    'realm-not-found': 'This realm does not exist. Create it with POST /api/v4/realms.',
    'member-not-found': (x) => (x.memberStatus ? wasGone(x) : noMember(x.memberId)),
    'recipient-not-found': (x) => noMember(x.recipientId, ' to receive the points'),
    'realm-point-not-found': 'This realm has no kind of points "{realmPointId}".',
    'key-not-found': 'This realm has no key {keyId}, or it was revoked.',
    'session-not-found': 'This key has no session {sessionId}, or it has ended.',
    'person-not-found': 'There is no person {personId} here, or it was removed.',
    'passkey-not-found': 'You have no passkey {passkeyId}.',
    'wallet-not-found': 'This member has no wallet {wallet}.',
    'transaction-not-found': 'This realm has no transaction {transactionId} that moved points.',
    'event-not-found': 'This realm has no event {seq} yet.',
    'verification-not-found': 'This process has no such check. Start one with POST …/verify.',
    'asset-not-found': 'This realm has no asset "{assetId}".',
    'webhook-not-found': 'This realm has no webhook {webhookId}.',
    'delivery-not-found': 'This webhook has no delivery {deliveryId}: the newest 200 are kept.',
    'hold-not-found': 'This realm has no hold {holdId}.',
    'offer-not-found': 'This realm has no offer "{offerId}".',
    'claim-not-found': 'This realm has no claim {claimId}.',
  },
  405: { 'method-not-allowed': 'This path allows {allowed}.' },
  408: { 'request-timeout': 'The request did not arrive completely in time. Send it again.' },
  409: {
    'realm-exists': 'A realm "{realmId}" already exists. Choose another id.',
    'realm-being-deleted': 'Realm "{realmId}" is still being deleted. Try again in a moment.',
    'member-exists':
      'Member {memberId} is already enrolled. Change it with PATCH …/members/{memberId}.',
    'account-taken': 'The account {account} already belongs to member {memberId}.',
    'wallet-taken': ({ wallet, memberId: id }) =>
      `The wallet ${wallet} already belongs to ${id ? `member ${id}` : 'another member'}.`,
    'challenge-used': `This challenge has already been used. ${REQUEST_NEW}`,
    'realm-point-exists': 'This realm already has a kind "{realmPointId}". Choose another id.',
    'asset-exists': 'This realm already has an asset "{assetId}". Choose another id.',
    'offer-exists': 'This realm already has an offer "{offerId}". Choose another id.',
    'discord-server-taken': 'Server {guildId} is linked to {of}. Unlink it there first.',
  },
  413: {
    'body-too-large':
      'Send a body of at most {limit} bytes. Split a longer list over several calls.',
  },
  415: {
    'unsupported-media-type': ({ reason }) =>
      `${reason ? `${reason} ` : ''}Send the body as JSON in UTF-8, with ` +
      '"Content-Type: application/json".',
  },
  422: {
    'realm-archived':
      'Realm "{realmId}" is archived: it can be read, but not changed. The root key can ' +
      'unarchive it with POST /api/v4/realms/{realmId}/unarchive.',
    'challenge-not-found': `This message is not a challenge of this realm. ${REQUEST_NEW}`,
    'challenge-mismatch': ({ field }) =>
      `The challenge does not match. ${MISMATCHES[String(field)]} ${REQUEST_NEW}`,
    'challenge-expired': `This challenge expired at {expiredAt}. ${REQUEST_NEW}`,
    'signature-invalid':
      'This is not a signature of {wallet} for this message. Sign the message exactly as ' +
      'issued. A contract wallet needs a chain that the service is connected to.',
    'self-transfer': 'Sender and recipient are the same member. Name another recipient.',
    'transfers-disabled':
      'This realm does not allow transfers between members (setting "transfers").',
    'not-transferable': 'Points of the kind "{realmPointId}" cannot be transferred.',
    'limit-reached': 'There can be at most {limit} {of}.',
    'too-many-tokens': 'One movement may carry at most {limit} points in this realm.',
    'member-frozen': 'Member {memberId} is frozen: it can neither send nor receive points.',
    'insufficient-points': insufficientPoints,
    'balance-limit':
      'The balance of member {memberId} in "{realmPointId}" would exceed its limit of {limit}.',
    'balance-not-zero':
      'Member {memberId} still has {balance} of "{realmPointId}". ' +
      'Move these points first, or give them up with "forfeit".',
    'last-passkey': 'This is your last passkey. Add another one first.',
    'last-owner': 'This is the last owner. Invite another one first, or use the root key.',
    'key-expired': 'An expired key cannot be rotated. Issue a new one.',
    'webhook-target-refused': ({ error }) =>
      error === 'name-not-resolved'
        ? 'The host of the URL cannot be resolved: its name has no address. Check how it is spelt.'
        : 'The host of the URL has an address that is not public. Use one that the internet can ' +
          'reach; for a private one, the operator sets WEBHOOK_ALLOW_PRIVATE=true.',
    'webhook-secret-unreadable':
      'The secret of webhook {webhookId} was sealed with another SECRET_KEY than this service ' +
      'has. Rotate it with POST …/rotate, or ask the operator to restore the key.',
    'replay-beyond-end':
      'The journal ends at {lastSeq}. Choose a "fromSeq" of at most the one after it.',
    'default-required':
      'A realm must have a default kind of points. Make another kind the default instead.',
    'default-archived':
      'The default kind of points cannot be archived. Make another kind the default first.',
    'realm-point-archived':
      'The kind of points "{realmPointId}" is archived: its points can be read, but not moved. ' +
      'Unarchive it with PATCH …/points/{realmPointId} and { "archived": false }.',
    'bounds-crossed':
      'minimumBalance {minimumBalance} of "{realmPointId}" would exceed its maximumBalance ' +
      '{maximumBalance}.',
    'reversal-exceeded': ({ transactionId, remaining }) =>
      remaining === 0
        ? `Transaction ${transactionId} has already been fully reversed.`
        : `Only ${points(remaining)} of transaction ${transactionId} can still be reversed.`,
    'hold-closed': 'Hold {holdId} is {holdStatus} and holds no more points.',
    'hold-exceeded': (x) => `Hold ${x.holdId} has ${points(x.remaining)} left, but ${asked(x)}.`,
    ...offerSentences,
    'key-replaced': 'This key has already been rotated. Rotate its successor {replacedBy} instead.',
    'member-ids-exhausted': 'No free member id is left. Choose an "id" yourself.',
    'idempotency-key-reused':
      'This Idempotency-Key was used for a different request. Use a new key for each request.',
    'answer-erased':
      'The request with this Idempotency-Key was executed, but its answer was erased with a ' +
      'member. Do not send it again.',
  },
  429: {
    'rate-limited': ({ reason }) => `${reason ?? 'Too many requests with this key.'} ${AGAIN}`,
  },
  431: {
    'headers-too-large':
      'Path, query and headers are limited to 16 KiB in total. To check many wallets, send them ' +
      'in the body: POST and QUERY on the same path accept 10000.',
  },
  500: {
    internal: 'The service failed, and the failure was logged. Report it with the requestId.',
  },
  503: {
    'not-ready': (x) => `The service is not ready. ${x.reason ?? ''}`.trimEnd(),
    overloaded: unavailable('The service is overloaded.'),
    'storage-full': unavailable(
      'The disk of the database is full: the operator has to free some space.',
    ),
    'storage-unavailable': unavailable('The service cannot use its database now.'),
    'chain-unavailable': unavailable(
      'The signature of a contract wallet is checked on {chain}, which does not respond.',
    ),
    'outcome-unknown':
      'The database became unavailable during the write, which may or may not have succeeded. ' +
      'After the seconds in Retry-After, send the request again with the same Idempotency-Key: ' +
      'it takes effect once. If it had none, check first whether it succeeded.',
  },
} satisfies Record<number, Record<string, Sentence>>;

const asked = ({ requested }: Extra): string =>
  requested === 1 ? '1 was requested' : `${requested} were requested`;

function insufficientPoints(x: Extra): string {
  const kind = x.realmPointId ? ` of the kind "${x.realmPointId}"` : '';
  return `Member ${x.memberId} has ${points(x.balance)}${kind}${notesOn(x)}; ${asked(x)}.`;
}

function unavailable(sentence: string): Sentence {
  return (x) => `${x.reason ?? sentenceFrom(sentence, x)} Nothing was changed. ${AGAIN}`;
}

/** The first fault in words, for a person who sees nothing else, and how many more there are. */
function inWords(x: Extra): string {
  const [first, ...others] = (x.errors ?? []) as RequestFault[];
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

type Sentences = typeof sentences;
export type ProblemCode = { [Status in keyof Sentences]: keyof Sentences[Status] }[keyof Sentences];

/** The compiler rejects a message of no problem. */
const forPeople: Partial<Record<ProblemCode, Sentence>> &
  Record<Exclude<keyof typeof messages, ProblemCode>, never> = { ...messages, ...offerMessages };

/** The titles that are more than the code in words. */
const titles: Partial<Record<ProblemCode, string>> = {
  'malformed-json': 'Malformed JSON',
  'realm-point-not-found': 'Kind of points not found',
  'realm-point-exists': 'Kind of points exists',
  'self-transfer': 'Transfer to oneself',
  internal: 'Internal error',
};

const titleOf = (code: ProblemCode): string =>
  titles[code] ?? code.charAt(0).toUpperCase() + code.slice(1).replaceAll('-', ' ');

interface Problem {
  status: number;
  title: string;
  sentence: Sentence;
  detail(extra: Extra): string;
  message(extra: Extra): string;
}

/** Every problem by its code. */
export const problems = Object.fromEntries(
  Object.entries(sentences).flatMap(([status, ofStatus]) =>
    (Object.entries(ofStatus) as [ProblemCode, Sentence][]).map(
      ([code, sentence]): [string, Problem] => [
        code,
        {
          status: Number(status),
          title: titleOf(code),
          sentence,
          detail: (extra) => sentenceFrom(sentence, extra),
          message: (extra) => sentenceFrom(forPeople[code] ?? sentence, extra),
        },
      ],
    ),
  ),
) as Record<ProblemCode, Problem>;

/** What only appears within sentences. */
const WITHIN = /^(reason|allowed|name|kinds?|offer|requires|left|period|timeZone)$/;

/** The body of a problem (RFC 9457). */
export function problemBody(code: ProblemCode, extra: Extra, requestId: string) {
  const { status, title, detail, message } = problems[code];
  const shown = Object.fromEntries(Object.entries(extra).filter(([name]) => !WITHIN.test(name)));
  // A sum that no number holds.
  if (typeof shown.held === 'string') shown.held = rawJSON(shown.held);
  return {
    type: `urn:realmkeep:problem:${code}`,
    title,
    status,
    detail: detail(extra),
    message: message(extra),
    code,
    requestId,
    ...((status === 429 || status === 503) && { retryAfter: RETRY_AFTER }),
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
