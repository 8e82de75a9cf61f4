import {
  bodyLimitOf,
  isWrite,
  type Operation,
  takesIdempotencyKey,
} from '../../src/contract/operation.ts';
import {
  type ParameterName,
  pathFields,
  pathParameterNames,
} from '../../src/contract/parameters.ts';
import {
  type ProblemCode,
  problemBody,
  problems,
  type RequestFault,
} from '../../src/contract/problems.ts';
import { exampleMembers, SAID } from './example.ts';
import { fieldsOf, type JsonObject, schemaRef } from './plain-schema.ts';

const REQUEST_ID = 'Zk3q9XbT-4f';

/** A retry of an operation that only reads needs no stored answer. */
export const storesIdempotencyKey = (operation: Operation): boolean =>
  takesIdempotencyKey(operation) && isWrite(operation);

/** The default of the setting. */
const BODY_LIMIT = 512 * 1024;

/** Answers that are the same for every operation, defined once under components. */
const SHARED: Record<string, ProblemCode[]> = {
  Unauthorized: ['unauthorized'],
  RateLimited: ['rate-limited'],
  HeadersTooLarge: ['headers-too-large'],
  Internal: ['internal'],
  Unavailable: ['overloaded', 'storage-full', 'storage-unavailable'],
  UnavailableOrUnknown: ['overloaded', 'storage-full', 'storage-unavailable', 'outcome-unknown'],
};

export const headerRef = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

export const rateLimitHeaders: JsonObject = {
  ratelimit: headerRef('RateLimit'),
  'ratelimit-policy': headerRef('RateLimitPolicy'),
};

export const requestIdHeader: JsonObject = { 'x-request-id': headerRef('RequestId') };

const extraHeaders: Partial<Record<ProblemCode, JsonObject>> = {
  'rate-limited': { 'retry-after': headerRef('RetryAfter'), ...rateLimitHeaders },
  unauthorized: { 'www-authenticate': headerRef('Challenge') },
  overloaded: { 'retry-after': headerRef('RetryAfter') },
  'storage-full': { 'retry-after': headerRef('RetryAfter') },
  'storage-unavailable': { 'retry-after': headerRef('RetryAfter') },
  'outcome-unknown': { 'retry-after': headerRef('RetryAfter') },
};

export const problemSchema: JsonObject = {
  type: 'object',
  description: 'A problem (RFC 9457). Some codes have further members.',
  required: ['type', 'title', 'status', 'detail', 'message', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A URN that ends in the code.' },
    title: { type: 'string', description: 'The kind of problem, for people.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'A sentence for developers that says what to do.' },
    message: {
      type: 'string',
      description: 'A sentence to show to the member; the same if the program is at fault.',
    },
    code: {
      type: 'string',
      description: 'The kind of problem, for programs. More codes may be added.',
    },
    requestId: { type: 'string', description: 'Include it when you report a problem.' },
    errors: {
      type: 'array',
      description: 'All faults of the request.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: {
            type: 'string',
            description:
              'A JSON pointer into the body; `/path/…`, `/query/…` and `/header/…` elsewhere.',
          },
          detail: { type: 'string', description: 'What is required.' },
        },
      },
    },
  },
  additionalProperties: true,
};

export const sharedProblemAnswers = (): JsonObject =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [
      name,
      problemAnswer(codes.map((code) => [code, exampleMembers(code)])),
    ]),
  );

/** An operation's problems by status; several codes of one status are examples of one answer. */
export function problemAnswers(operation: Operation): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodes(operation)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus].map(([status, codes]) => {
    const shared = Object.entries(SHARED).find(([, each]) => `${each}` === `${codes}`);
    if (shared) return [status, { $ref: `#/components/responses/${shared[0]}` }];
    return [status, problemAnswer(codes.map((code) => [code, exampleExtra(operation, code)]))];
  });
  return Object.fromEntries(answers);
}

/** The problems of every operation, then those of this one. */
export function problemCodes(operation: Operation): ProblemCode[] {
  const { method, path, scope, body, ofPeople } = operation;
  const inRealm = path.includes('{realmID}');
  const codes: [boolean, ProblemCode][] = [
    [body !== undefined, 'malformed-json'],
    [true, 'invalid-request'],
    [true, 'unauthorized'],
    [inRealm, 'forbidden'],
    // Every key can read.
    [scope !== 'read', 'insufficient-scope'],
    [ofPeople === true, 'person-required'],
    [inRealm, 'realm-not-found'],
    // A write looks for unknown fields even where no body is expected.
    [body !== undefined || isWrite(operation), 'body-too-large'],
    // GET and QUERY ignore the content type.
    [body !== undefined && method !== 'GET' && method !== 'QUERY', 'unsupported-media-type'],
    [storesIdempotencyKey(operation), 'idempotency-key-reused'],
    [inRealm && storesIdempotencyKey(operation), 'answer-erased'],
    [inRealm && isWrite(operation) && !operation.inArchived, 'realm-archived'],
    [true, 'rate-limited'],
    [true, 'headers-too-large'],
    [true, 'internal'],
    [true, 'overloaded'],
    // A list that is derived from the journal may have to be written first.
    [true, 'storage-full'],
    [true, 'storage-unavailable'],
    [isWrite(operation), 'outcome-unknown'],
  ];
  const common = codes.filter(([can]) => can).map(([, code]) => code);
  return [...new Set([...common, ...notFound(operation), ...operation.problems])];
}

/** What a parameter of the path may not find. */
const NOT_FOUND: Partial<Record<ParameterName, ProblemCode>> = {
  memberID: 'member-not-found',
  realmPointId: 'realm-point-not-found',
  assetId: 'asset-not-found',
  transactionID: 'transaction-not-found',
  holdID: 'hold-not-found',
  offerID: 'offer-not-found',
  claimID: 'claim-not-found',
  seq: 'event-not-found',
  address: 'wallet-not-found',
  keyID: 'key-not-found',
  personID: 'person-not-found',
  passkeyID: 'passkey-not-found',
  sessionID: 'session-not-found',
  webhookID: 'webhook-not-found',
  deliveryID: 'delivery-not-found',
  verificationID: 'verification-not-found',
};

/** The problems that follow from the path, and from a kind of points in the request. */
function notFound({ path, query, body, mayCreate }: Operation): ProblemCode[] {
  const inPath = mayCreate ? [] : (pathParameterNames(path) as ParameterName[]);
  const sent = { ...fieldsOf(query), ...fieldsOf(body) };
  const names = [...inPath, ...('realmPointId' in sent ? (['realmPointId'] as const) : [])];
  return names.flatMap((name) => NOT_FOUND[name] ?? []);
}

function problemAnswer(codes: [ProblemCode, JsonObject][]): JsonObject {
  const examples = codes.map(([code, extra]) => [
    code,
    { summary: problems[code].title, value: problemBody(code, { ...SAID, ...extra }, REQUEST_ID) },
  ]);
  return {
    description: codes.map(([code]) => problems[code].title).join(' · '),
    headers: Object.assign({ ...requestIdHeader }, ...codes.map(([code]) => extraHeaders[code])),
    content: {
      'application/problem+json': {
        schema: schemaRef('Problem'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The extension members of an example, as this operation would fill them. */
function exampleExtra(operation: Operation, code: ProblemCode): JsonObject {
  if (code === 'insufficient-scope') return { required: operation.scope };
  if (code === 'passkey-not-valid') return { reason: 'is of nobody here' };
  if (code === 'offer-incomplete') {
    return { offerId: 'daily', reason: '"closesAt" must be after "opensAt"' };
  }
  if (code === 'realm-not-found') return { realmId: 'acme' };
  if (code === 'body-too-large') return { limit: bodyLimitOf(operation, BODY_LIMIT) };
  if (code === 'invalid-request') return { errors: [exampleFault(operation)] };
  const example = exampleMembers(code);
  const { detail } = problems[code];
  const isForEntry = operation.problems.includes(code) && 'entries' in fieldsOf(operation.body);
  return isForEntry
    ? { ...example, errors: [{ pointer: '/entries/0', detail: detail(example) }] }
    : example;
}

/** A fault that the operation can really have: of its first field, a parameter, or a header. */
function exampleFault({ body, query, path }: Operation): RequestFault {
  const places = {
    '': fieldsOf(body),
    '/query': fieldsOf(query),
    '/path': Object.fromEntries(Object.entries(pathFields(path)).slice(-1)),
  };
  for (const [prefix, fields] of Object.entries(places)) {
    for (const [field, { fault }] of Object.entries<{ fault?: string }>(fields)) {
      if (fault !== undefined) return { pointer: `${prefix}/${field}`, detail: fault };
    }
  }
  return { pointer: '/header/host', detail: 'must be sent only once' };
}
