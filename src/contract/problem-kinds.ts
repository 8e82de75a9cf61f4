import { kind, type ProblemKind } from './problem-kind.ts';
import { walletProblems } from './wallet-problem-kinds.ts';

/**
 * Every problem a caller can meet, told once: its status, its title, the sentence that says what
 * to do, and the members it carries. The order of checks is in http/routes.ts.
 */
export const problems = {
  'malformed-json': kind(400, 'Malformed JSON', (x) =>
    String(x.reason ?? 'Send a body that is valid JSON in UTF-8.'),
  ),
  'invalid-request': kind(
    400,
    'Invalid request',
    'Correct what "errors" lists and send the request again.',
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
        : `This call needs a key with the scope "${x.required}".`,
    { required: 'write' },
  ),
  'not-found': kind(
    404,
    'Not found',
    'There is nothing at this path. The paths are listed at /docs.',
  ),
  'realm-not-found': kind(
    404,
    'Realm not found',
    'There is no such realm. Create it with POST /api/v4/realms.',
  ),
  'member-not-found': kind(
    404,
    'Member not found',
    (x) => `There is no member ${x.memberId} in this realm. Enrol it with POST …/members.`,
    { memberId: '42' },
  ),
  'recipient-not-found': kind(
    404,
    'Recipient not found',
    (x) => `There is no member ${x.recipientId} in this realm to receive the points.`,
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
  'method-not-allowed': kind(405, 'Method not allowed', (x) => `This path takes ${x.allowed}.`),
  'request-timeout': kind(
    408,
    'Request timeout',
    'The whole request did not arrive in time. Send it again.',
  ),
  'realm-exists': kind(
    409,
    'Realm exists',
    (x) => `There is a realm "${x.realmId}" already. Choose another id.`,
    { realmId: 'acme' },
  ),
  'member-exists': kind(
    409,
    'Member exists',
    (x) =>
      `Member ${x.memberId} is enrolled already. Change it with PATCH …/members/${x.memberId}.`,
    { memberId: '42' },
  ),
  'account-taken': kind(
    409,
    'Account taken',
    (x) => `The account ${x.account} belongs to member ${x.memberId}.`,
    { account: 'discord:80351110224678912', memberId: '42' },
  ),
  ...walletProblems,
  'body-too-large': kind(
    413,
    'Body too large',
    (x) => (x.limit ? `The body may have at most ${x.limit} bytes.` : 'Send a smaller request.'),
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
    'The giver and the recipient are the same member. Name another recipient.',
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
  'limit-reached': kind(
    422,
    'Limit reached',
    (x) => `There can be no more than ${x.limit} ${x.of}.`,
    { limit: 100, of: 'open holds of a member in one kind of points' },
  ),
  'too-many-tokens': kind(
    422,
    'Too many tokens',
    (x) => `One movement may carry at most ${x.limit} points in this realm.`,
    { limit: 1000, requested: 5000 },
  ),
  'member-frozen': kind(
    422,
    'Member frozen',
    (x) => `Member ${x.memberId} is frozen: no points move in or out until it is active again.`,
    { memberId: '42' },
  ),
  'insufficient-points': kind(
    422,
    'Insufficient points',
    (x) => {
      const held = x.held ? `, of which ${x.held} are held` : '';
      return `Member ${x.memberId} has ${x.balance} points${held}; ${x.requested} were asked for.`;
    },
    { memberId: '42', balance: 30, requested: 50 },
  ),
  'balance-limit': kind(
    422,
    'Balance limit',
    (x) => `The balance of member ${x.memberId} would pass its limit of ${x.limit}.`,
    { memberId: '42', balance: 9007199254740991, limit: 9007199254740991 },
  ),
  'balance-not-zero': kind(
    422,
    'Balance not zero',
    (x) =>
      `Member ${x.memberId} still has ${x.balance} of "${x.realmPointId}". ` +
      'Move them first, or add ?forfeit=true.',
    { memberId: '42', realmPointId: 'points', balance: 30 },
  ),
  'key-expired': kind(422, 'Key expired', 'An expired key cannot be rotated. Issue a new one.', {
    keyId: 'k3Jx81PzQw2m',
  }),
  'realm-point-exists': kind(
    409,
    'Kind of points exists',
    (x) => `This realm has a kind of points "${x.realmPointId}" already. Choose another id.`,
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
    (x) => `This realm has an asset "${x.assetId}" already. Choose another id.`,
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
    'A realm has one default kind of points. Make another kind the default instead.',
    { realmPointId: 'points' },
  ),
  'bounds-crossed': kind(
    422,
    'Bounds crossed',
    (x) => `The floor ${x.minimumBalance} would be above the ceiling ${x.maximumBalance}.`,
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
    (x) => `Of transaction ${x.transactionId}, ${x.remaining} points are left to give back.`,
    { transactionId: 982, remaining: 30, requested: 50 },
  ),
  'hold-closed': kind(
    422,
    'Hold closed',
    (x) => `Hold ${x.holdId} is ${x.holdStatus}: nothing is held any more.`,
    { holdId: 1001, holdStatus: 'expired' },
  ),
  'hold-exceeded': kind(
    422,
    'Hold exceeded',
    (x) => `Hold ${x.holdId} still holds ${x.remaining}; ${x.requested} were asked for.`,
    { holdId: 1001, remaining: 50, requested: 80 },
  ),
  'key-replaced': kind(
    422,
    'Key replaced',
    (x) => `This key was rotated already. Rotate its successor ${x.replacedBy} instead.`,
    { keyId: 'k3Jx81PzQw2m', replacedBy: 'q7Lm20RtYb5c' },
  ),
  'member-ids-exhausted': kind(
    422,
    'Member ids exhausted',
    'No free member id is left to assign. Send an "id" of your own.',
  ),
  'idempotency-key-reused': kind(
    422,
    'Idempotency key reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  ),
  'rate-limited': kind(
    429,
    'Rate limited',
    'Too many requests with this key. Try again after the seconds in Retry-After.',
  ),
  'headers-too-large': kind(
    431,
    'Headers too large',
    'The path, query and headers may have 16 KiB together: make them fewer or shorter. ' +
      'To check many wallets, send them in the body: POST and QUERY on the same path take 10000.',
  ),
  internal: kind(
    500,
    'Internal error',
    'This is our fault, and it was logged. Name the requestId when you report it.',
  ),
  'not-ready': kind(503, 'Not ready', 'The storage does not answer. Try again in a moment.'),
  overloaded: kind(
    503,
    'Overloaded',
    (x) =>
      `${x.reason ?? 'The service has more to do than it can.'} ` +
      'Nothing was changed; try again after the seconds in Retry-After.',
  ),
  'outcome-unknown': kind(
    503,
    'Outcome unknown',
    'The database went away while this was being written, so it may be done or not. After the ' +
      'seconds in Retry-After send it again with the same Idempotency-Key: it is done once. If ' +
      'it had none, look first whether it was done.',
  ),
} satisfies Record<string, ProblemKind>;
