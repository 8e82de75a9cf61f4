import { kind, type ProblemKind } from './problem-kind.ts';
import { walletProblems } from './wallet-problem-kinds.ts';

/** Every problem: its status, title, a sentence that says what to do, and extension members. */
export const problems = {
  'malformed-json': kind(400, 'Malformed JSON', (x) =>
    String(x.reason ?? 'Send valid JSON in UTF-8.'),
  ),
  'invalid-request': kind(
    400,
    'Invalid request',
    'Correct the faults listed in "errors" and send the request again.',
    { errors: [{ pointer: '/tokens', detail: 'must be a JSON integer other than 0' }] },
  ),
  unauthorized: kind(
    401,
    'Unauthorized',
    (x) =>
      `${x.reason ?? 'The API key is not valid.'} ` +
      'Send "Authorization: Bearer <key>" with a valid API key.',
  ),
  forbidden: kind(
    403,
    'Forbidden',
    'This API key belongs to another realm. Use a key of the realm in the path.',
  ),
  'insufficient-scope': kind(
    403,
    'Insufficient scope',
    (x) =>
      x.required === 'root'
        ? 'This call needs the root key.'
        : `This call needs a key with scope "${x.required}".`,
    { required: 'write' },
  ),
  'not-found': kind(404, 'Not found', 'There is nothing at this path. See /docs for all paths.'),
  'realm-not-found': kind(
    404,
    'Realm not found',
    'This realm does not exist. Create it with POST /api/v4/realms.',
  ),
  'member-not-found': kind(
    404,
    'Member not found',
    (x) => `This realm has no member ${x.memberId}. Enrol it with POST …/members.`,
    { memberId: '42' },
  ),
  'recipient-not-found': kind(
    404,
    'Recipient not found',
    (x) => `This realm has no member ${x.recipientId} to receive the points.`,
    { recipientId: '43' },
  ),
  'realm-point-not-found': kind(
    404,
    'Kind of points not found',
    (x) => `This realm has no kind of points "${x.realmPointId}".`,
    { realmPointId: 'gems' },
  ),
  'key-not-found': kind(
    404,
    'Key not found',
    (x) => `This realm has no key ${x.keyId}, or it was revoked.`,
    { keyId: 'k3Jx81PzQw2m' },
  ),
  'method-not-allowed': kind(405, 'Method not allowed', (x) => `This path allows ${x.allowed}.`),
  'request-timeout': kind(
    408,
    'Request timeout',
    'The request did not arrive completely in time. Send it again.',
  ),
  'realm-exists': kind(
    409,
    'Realm exists',
    (x) => `A realm "${x.realmId}" already exists. Choose another id.`,
    { realmId: 'acme' },
  ),
  'member-exists': kind(
    409,
    'Member exists',
    (x) =>
      `Member ${x.memberId} is already enrolled. Change it with PATCH …/members/${x.memberId}.`,
    { memberId: '42' },
  ),
  'account-taken': kind(
    409,
    'Account taken',
    (x) => `The account ${x.account} already belongs to member ${x.memberId}.`,
    { account: 'discord:80351110224678912', memberId: '42' },
  ),
  ...walletProblems,
  'body-too-large': kind(
    413,
    'Body too large',
    (x) => (x.limit ? `Send a body of at most ${x.limit} bytes.` : 'Send a smaller request.'),
    { limit: 1048576 },
  ),
  'unsupported-media-type': kind(
    415,
    'Unsupported media type',
    'Send the body as JSON in UTF-8, with "Content-Type: application/json".',
  ),
  'self-transfer': kind(
    422,
    'Transfer to oneself',
    'Sender and recipient are the same member. Name another recipient.',
    { memberId: '42' },
  ),
  'transfers-disabled': kind(
    422,
    'Transfers disabled',
    'This realm does not allow transfers between members (setting "transfers").',
  ),
  'not-transferable': kind(
    422,
    'Not transferable',
    (x) => `Points of the kind "${x.realmPointId}" cannot be transferred.`,
    { realmPointId: 'reputation' },
  ),
  'limit-reached': kind(422, 'Limit reached', (x) => `There can be at most ${x.limit} ${x.of}.`, {
    limit: 100,
    of: 'open holds of a member in one kind of points',
  }),
  'too-many-tokens': kind(
    422,
    'Too many tokens',
    (x) => `One movement may carry at most ${x.limit} points in this realm.`,
    { limit: 1000, requested: 5000 },
  ),
  'member-frozen': kind(
    422,
    'Member frozen',
    (x) => `Member ${x.memberId} is frozen: it can neither send nor receive points.`,
    { memberId: '42' },
  ),
  'insufficient-points': kind(
    422,
    'Insufficient points',
    (x) => {
      const held = x.held ? ` (${x.held} of them on hold)` : '';
      return `Member ${x.memberId} has ${x.balance} points${held}; ${x.requested} were requested.`;
    },
    { memberId: '42', balance: 30, requested: 50 },
  ),
  'balance-limit': kind(
    422,
    'Balance limit',
    (x) => `The balance of member ${x.memberId} would exceed its limit of ${x.limit}.`,
    { memberId: '42', balance: 9007199254740991, limit: 9007199254740991 },
  ),
  'balance-not-zero': kind(
    422,
    'Balance not zero',
    (x) =>
      `Member ${x.memberId} still has ${x.balance} of "${x.realmPointId}". ` +
      'Move these points first, or add ?forfeit=true.',
    { memberId: '42', realmPointId: 'points', balance: 30 },
  ),
  'key-expired': kind(422, 'Key expired', 'An expired key cannot be rotated. Issue a new one.', {
    keyId: 'k3Jx81PzQw2m',
  }),
  'realm-point-exists': kind(
    409,
    'Kind of points exists',
    (x) => `This realm already has a kind of points "${x.realmPointId}". Choose another id.`,
    { realmPointId: 'gems' },
  ),
  'transaction-not-found': kind(
    404,
    'Transaction not found',
    (x) => `This realm has no transaction ${x.transactionId} that moved points.`,
    { transactionId: 982 },
  ),
  'asset-exists': kind(
    409,
    'Asset exists',
    (x) => `This realm already has an asset "${x.assetId}". Choose another id.`,
    { assetId: 'founders-pass' },
  ),
  'asset-not-found': kind(
    404,
    'Asset not found',
    (x) => `This realm has no asset "${x.assetId}".`,
    { assetId: 'founders-pass' },
  ),
  'hold-not-found': kind(404, 'Hold not found', (x) => `This realm has no hold ${x.holdId}.`, {
    holdId: 1001,
  }),
  'default-required': kind(
    422,
    'Default required',
    'A realm must have a default kind of points. Make another kind the default instead.',
    { realmPointId: 'points' },
  ),
  'bounds-crossed': kind(
    422,
    'Bounds crossed',
    (x) => `minimumBalance ${x.minimumBalance} would exceed maximumBalance ${x.maximumBalance}.`,
    { minimumBalance: 10, maximumBalance: 0 },
  ),
  'not-reversible': kind(
    422,
    'Not reversible',
    'A reversal cannot be reversed. Move the points again instead.',
    { transactionId: 990 },
  ),
  'reversal-exceeded': kind(
    422,
    'Reversal exceeded',
    (x) => `Only ${x.remaining} points of transaction ${x.transactionId} can still be reversed.`,
    { transactionId: 982, remaining: 30, requested: 50 },
  ),
  'hold-closed': kind(
    422,
    'Hold closed',
    (x) => `Hold ${x.holdId} is ${x.holdStatus} and holds no more points.`,
    { holdId: 1001, holdStatus: 'expired' },
  ),
  'hold-exceeded': kind(
    422,
    'Hold exceeded',
    (x) => `Hold ${x.holdId} has ${x.remaining} points left, but ${x.requested} were requested.`,
    { holdId: 1001, remaining: 50, requested: 80 },
  ),
  'key-replaced': kind(
    422,
    'Key replaced',
    (x) => `This key has already been rotated. Rotate its successor ${x.replacedBy} instead.`,
    { keyId: 'k3Jx81PzQw2m', replacedBy: 'q7Lm20RtYb5c' },
  ),
  'member-ids-exhausted': kind(
    422,
    'Member ids exhausted',
    'No free member id is left. Choose an "id" yourself.',
  ),
  'idempotency-key-reused': kind(
    422,
    'Idempotency key reused',
    'This Idempotency-Key was used for a different request. Use a new key for each request.',
  ),
  'rate-limited': kind(
    429,
    'Rate limited',
    'Too many requests with this key. Try again after the seconds in Retry-After.',
  ),
  'headers-too-large': kind(
    431,
    'Headers too large',
    'Path, query and headers are limited to 16 KiB in total. To check many wallets, send them in ' +
      'the body: POST and QUERY on the same path accept 10000.',
  ),
  internal: kind(
    500,
    'Internal error',
    'The service failed, and the failure was logged. Report it with the requestId.',
  ),
  'not-ready': kind(503, 'Not ready', 'The storage does not respond. Try again in a moment.'),
  overloaded: kind(
    503,
    'Overloaded',
    (x) =>
      `${x.reason ?? 'The service is overloaded.'} ` +
      'Nothing was changed. Try again after the seconds in Retry-After.',
  ),
  'outcome-unknown': kind(
    503,
    'Outcome unknown',
    'The database became unavailable during the write, which may or may not have succeeded. ' +
      'After the seconds in Retry-After, send the request again with the same Idempotency-Key: ' +
      'it takes effect once. If it had none, check first whether it succeeded.',
  ),
} satisfies Record<string, ProblemKind>;
