import { kind } from './problem-kind.ts';
import {
  BOUNDS_CROSSED,
  challengeMismatch,
  holdExceeded,
  insufficientPoints,
  invalidRequest,
  OUTCOME_UNKNOWN,
  REALM_ARCHIVED,
  REALM_BEING_DELETED,
  REALM_POINT_ARCHIVED,
  reversalExceeded,
  unavailable,
} from './problem-sentences.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';

const REQUEST_NEW = 'Request a new one with POST …/wallets/challenge.';

/** Every problem by its code. */
export const problemKinds = {
  'malformed-json': kind(400, (x) => String(x.reason ?? 'Send valid JSON in UTF-8.')),
  'invalid-request': kind(400, invalidRequest, {
    errors: [{ pointer: '/tokens', detail: 'must be a JSON integer other than 0' }],
  }),
  unauthorized: kind(
    401,
    (x) =>
      `${x.reason ?? 'The API key is not valid.'} ` +
      'Send "Authorization: Bearer <key>" with a valid API key.',
  ),
  'session-ended': kind(401, 'The session has ended. Sign in again.'),
  'code-not-valid': kind(
    401,
    'This code is wrong, has expired or was used. Sign in with a key, or get a new link with ' +
      '"npx realmkeep console-link".',
  ),
  forbidden: kind(
    403,
    'This API key belongs to another realm. Use a key of the realm in the path.',
  ),
  'insufficient-scope': kind(
    403,
    (x) =>
      x.required === 'root'
        ? 'This call needs the root key.'
        : `This call needs a key with scope "${x.required}".`,
    { required: 'write' },
  ),
  'console-header-missing': kind(
    403,
    'A call that is signed by the cookie of a session needs the header "x-realmkeep-console: 1".',
  ),
  'not-found': kind(404, 'There is nothing at this path. See /docs for all paths.'),
  'realm-not-found': kind(404, 'This realm does not exist. Create it with POST /api/v4/realms.'),
  'member-not-found': kind(
    404,
    'This realm has no member {memberId}. Enrol it with POST …/members.',
    { memberId: '42' },
  ),
  'recipient-not-found': kind(
    404,
    'This realm has no member {recipientId} to receive the points.',
    { recipientId: '43' },
  ),
  'realm-point-not-found': kind(404, 'This realm has no kind of points "{realmPointId}".', {
    realmPointId: 'gems',
  }),
  'key-not-found': kind(404, 'This realm has no key {keyId}, or it was revoked.', {
    keyId: 'k3Jx81PzQw2m',
  }),
  'session-not-found': kind(404, 'This key has no session {sessionId}, or it has ended.', {
    sessionId: 'Vb81PzQw2mk3',
  }),
  'method-not-allowed': kind(405, 'This path allows {allowed}.'),
  'request-timeout': kind(408, 'The request did not arrive completely in time. Send it again.'),
  'realm-exists': kind(409, 'A realm "{realmId}" already exists. Choose another id.', {
    realmId: 'acme',
  }),
  'realm-being-deleted': kind(409, REALM_BEING_DELETED, { realmId: 'acme' }),
  'realm-archived': kind(422, REALM_ARCHIVED, { realmId: 'acme' }),
  'member-exists': kind(
    409,
    'Member {memberId} is already enrolled. Change it with PATCH …/members/{memberId}.',
    { memberId: '42' },
  ),
  'account-taken': kind(409, 'The account {account} already belongs to member {memberId}.', {
    account: 'discord:80351110224678912',
    memberId: '42',
  }),
  'wallet-taken': kind(409, 'The wallet {wallet} already belongs to member {memberId}.', {
    wallet: WALLET,
    memberId: '42',
  }),
  'wallet-not-found': kind(404, 'This member has no wallet {wallet}.', {
    wallet: WALLET,
  }),
  'challenge-not-found': kind(422, `This message is not a challenge of this realm. ${REQUEST_NEW}`),
  'challenge-mismatch': kind(422, (x) => `${challengeMismatch(x)} ${REQUEST_NEW}`, {
    field: 'member',
  }),
  'challenge-used': kind(409, `This challenge has already been used. ${REQUEST_NEW}`),
  'challenge-expired': kind(422, `This challenge expired at {expiredAt}. ${REQUEST_NEW}`, {
    expiredAt: '2026-11-14T09:40:00.000Z',
  }),
  'signature-invalid': kind(
    422,
    'This is not a signature of {wallet} for this message. Sign the message exactly as ' +
      'issued. A contract wallet needs a chain that the service is connected to.',
    { wallet: WALLET },
  ),
  'chain-unavailable': kind(
    503,
    'The signature of a contract wallet is checked on {chain}, which does not respond. ' +
      'Nothing was changed. Try again after the seconds in Retry-After.',
    { chain: 'eip155:1' },
  ),
  'body-too-large': kind(
    413,
    'Send a body of at most {limit} bytes. Split a longer list over several calls.',
    { limit: 524288 },
  ),
  'unsupported-media-type': kind(
    415,
    (x) =>
      `${x.reason ? `${x.reason} ` : ''}Send the body as JSON in UTF-8, with ` +
      '"Content-Type: application/json".',
  ),
  'self-transfer': kind(422, 'Sender and recipient are the same member. Name another recipient.', {
    memberId: '42',
  }),
  'transfers-disabled': kind(
    422,
    'This realm does not allow transfers between members (setting "transfers").',
  ),
  'not-transferable': kind(422, 'Points of the kind "{realmPointId}" cannot be transferred.', {
    realmPointId: 'reputation',
  }),
  'limit-reached': kind(422, 'There can be at most {limit} {of}.', {
    limit: 100,
    of: 'open holds of a member in one kind of points',
  }),
  'too-many-tokens': kind(422, 'One movement may carry at most {limit} points in this realm.', {
    limit: 1000,
    requested: 5000,
  }),
  'member-frozen': kind(
    422,
    'Member {memberId} is frozen: it can neither send nor receive points.',
    { memberId: '42' },
  ),
  'insufficient-points': kind(422, insufficientPoints, {
    memberId: '42',
    balance: 30,
    requested: 50,
  }),
  'balance-limit': kind(
    422,
    'The balance of member {memberId} would exceed its limit of {limit}.',
    { memberId: '42', balance: 9007199254740991, limit: 9007199254740991 },
  ),
  'balance-not-zero': kind(
    422,
    'Member {memberId} still has {balance} of "{realmPointId}". ' +
      'Move these points first, or give them up with "forfeit".',
    { memberId: '42', realmPointId: 'points', balance: 30 },
  ),
  'key-expired': kind(422, 'An expired key cannot be rotated. Issue a new one.', {
    keyId: 'k3Jx81PzQw2m',
  }),
  'realm-point-exists': kind(
    409,
    'This realm already has a kind of points "{realmPointId}". Choose another id.',
    { realmPointId: 'gems' },
  ),
  'transaction-not-found': kind(
    404,
    'This realm has no transaction {transactionId} that moved points.',
    { transactionId: 982 },
  ),
  'event-not-found': kind(404, 'This realm has no event {seq} yet.', { seq: 982 }),
  'verification-not-found': kind(
    404,
    'This process has no such check of the realm. It may run in another process, or be forgotten ' +
      'since. Start one with POST …/verify.',
    { verificationId: 'kP3xVq81mZ0a' },
  ),
  'asset-exists': kind(409, 'This realm already has an asset "{assetId}". Choose another id.', {
    assetId: 'founders-pass',
  }),
  'asset-not-found': kind(404, 'This realm has no asset "{assetId}".', {
    assetId: 'founders-pass',
  }),
  'webhook-not-found': kind(404, 'This realm has no webhook {webhookId}.', {
    webhookId: 'q7Lm20RtYb5c',
  }),
  'webhook-target-refused': kind(
    422,
    'The host of the URL does not resolve to public addresses alone. Use a host that the ' +
      'internet can reach; for a private one, the operator sets WEBHOOK_ALLOW_PRIVATE.',
  ),
  'webhook-secret-unreadable': kind(
    422,
    'The secret of webhook {webhookId} was sealed with another SECRET_KEY than this service has. ' +
      'Rotate it with POST …/rotate, or ask the operator to restore the key.',
    { webhookId: 'q7Lm20RtYb5c' },
  ),
  'replay-beyond-end': kind(
    422,
    'The journal ends at {lastSeq}. Choose a "fromSeq" of at most the one after it.',
    { fromSeq: 990, lastSeq: 982 },
  ),
  'hold-not-found': kind(404, 'This realm has no hold {holdId}.', {
    holdId: 1001,
  }),
  'default-required': kind(
    422,
    'A realm must have a default kind of points. Make another kind the default instead.',
    { realmPointId: 'points' },
  ),
  'default-archived': kind(
    422,
    'The default kind of points cannot be archived. Make another kind the default first.',
    { realmPointId: 'points' },
  ),
  'realm-point-archived': kind(422, REALM_POINT_ARCHIVED, { realmPointId: 'gems' }),
  'bounds-crossed': kind(422, BOUNDS_CROSSED, {
    realmPointId: 'gems',
    minimumBalance: 10,
    maximumBalance: 0,
  }),
  'not-reversible': kind(422, 'A reversal cannot be reversed. Move the points again instead.', {
    transactionId: 990,
  }),
  'reversal-exceeded': kind(422, reversalExceeded, {
    transactionId: 982,
    remaining: 30,
    requested: 50,
  }),
  'hold-closed': kind(422, 'Hold {holdId} is {holdStatus} and holds no more points.', {
    holdId: 1001,
    holdStatus: 'expired',
  }),
  'hold-exceeded': kind(422, holdExceeded, { holdId: 1001, remaining: 50, requested: 80 }),
  'key-replaced': kind(
    422,
    'This key has already been rotated. Rotate its successor {replacedBy} instead.',
    { keyId: 'k3Jx81PzQw2m', replacedBy: 'q7Lm20RtYb5c' },
  ),
  'member-ids-exhausted': kind(422, 'No free member id is left. Choose an "id" yourself.'),
  'idempotency-key-reused': kind(
    422,
    'This Idempotency-Key was used for a different request. Use a new key for each request.',
  ),
  'answer-erased': kind(
    422,
    'The request with this Idempotency-Key was executed, but its answer was erased with a ' +
      'member. Do not send it again.',
  ),
  'rate-limited': kind(
    429,
    (x) =>
      `${x.reason ?? 'Too many requests with this key.'} ` +
      'Try again after the seconds in Retry-After.',
  ),
  'headers-too-large': kind(
    431,
    'Path, query and headers are limited to 16 KiB in total. To check many wallets, send them in ' +
      'the body: POST and QUERY on the same path accept 10000.',
  ),
  internal: kind(
    500,
    'The service failed, and the failure was logged. Report it with the requestId.',
  ),
  'not-ready': kind(503, (x) => `The service is not ready. ${x.reason ?? ''}`.trimEnd()),
  overloaded: kind(503, unavailable('The service is overloaded.')),
  'storage-full': kind(
    503,
    unavailable('The disk of the database is full: the operator has to free some space.'),
  ),
  'storage-unavailable': kind(503, unavailable('The service cannot use its database now.')),
  'outcome-unknown': kind(503, OUTCOME_UNKNOWN),
};
