import type { TSchema } from 'typebox';
import type { Operation } from '../../src/contract/operation.ts';
import { type ProblemCode, problems } from '../../src/contract/problems.ts';
import { WALLET } from '../../src/contract/schemas.ts';
import type { JsonObject } from './plain-schema.ts';

interface Described {
  type?: string | string[];
  examples?: unknown[];
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
}

/** The example of an answer: what the operation gives, and else the examples of its fields. */
export function exampleAnswer({ answer: { schema, given } }: Operation): unknown {
  return schema && merged(exampleOf(schema), given);
}

/** One event, as a stream sends it. */
export function exampleStream(operation: Operation): string {
  const { items } = exampleAnswer(operation) as { items: { seq: number; type: string }[] };
  return items
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function merged(value: unknown, given: unknown): unknown {
  if (!isObject(value) || !isObject(given)) return given === undefined ? value : given;
  const parts = Object.entries(given).map(([name, part]) => [name, merged(value[name], part)]);
  return { ...value, ...Object.fromEntries(parts) };
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function exampleOf(schema: TSchema): unknown {
  const {
    type,
    examples,
    anyOf,
    required = [],
    properties = {},
    items,
    ...rest
  } = schema as Described;
  const isNullable = anyOf !== undefined || (Array.isArray(type) && type.includes('null'));
  if (isNullable && examples === undefined) return null;
  const [chosen] = examples ?? rest.enum ?? [];
  if (chosen !== undefined) return chosen;
  if (items) return [exampleOf(items)];
  if (type === 'boolean') return false;
  if (type !== 'object') throw new Error(`no example: ${JSON.stringify(schema)}`);
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

/** Example values of the members that problems have beyond those of every problem. */
const MEMBERS: JsonObject = {
  errors: [{ pointer: '/tokens', detail: 'must be a JSON integer other than 0' }],
  required: 'write',
  realmId: 'acme',
  memberId: '42',
  recipientId: '43',
  realmPointId: 'gems',
  keyId: 'k3Jx81PzQw2m',
  replacedBy: 'q7Lm20RtYb5c',
  sessionId: 'Vb81PzQw2mk3',
  personId: 'pk3Jx81PzQw2m',
  passkeyId: 'hQ8wN2bXv3kTz1',
  wallet: WALLET,
  account: 'discord:80351110224678912',
  field: 'member',
  expiredAt: '2026-11-14T09:40:00.000Z',
  chain: 'eip155:1',
  limit: 100,
  of: 'open holds of a member in one kind of points',
  requested: 500,
  balance: 30,
  remaining: 20,
  transactionId: 982,
  seq: 982,
  verificationId: 'kP3xVq81mZ0a',
  assetId: 'founders-pass',
  webhookId: 'q7Lm20RtYb5c',
  deliveryId: 1794821400000000,
  error: 'refused-target',
  fromSeq: 990,
  lastSeq: 982,
  holdId: 1001,
  holdStatus: 'expired',
  offerId: 'daily',
  opensAt: '2026-11-15T00:00:00.000Z',
  closesAt: '2026-11-22T00:00:00.000Z',
  stockLeft: 0,
  nextAt: '2026-11-15T00:00:00.000Z',
  requirement: { minimumBalance: { points: 100 } },
  costs: { points: 500 },
  claimId: 1010,
  claimStatus: 'done',
  offerStatus: 'upcoming',
  guildId: '613425648685547541',
  minimumBalance: 10,
  maximumBalance: 0,
  retryAfter: 1,
};

/** What is said in sentences for people, and is no member of a problem. */
export const SAID: JsonObject = {
  name: 'Alice',
  kind: 'Points',
  kinds: { points: 'Points' },
  offer: 'Daily reward',
  period: 'day',
  timeZone: 'Europe/Berlin',
};

/** The members that the sentence of a problem does not name. */
const UNNAMED: Partial<Record<ProblemCode, string[]>> = {
  'invalid-request': ['errors'],
  'insufficient-scope': ['required'],
  'verification-not-found': ['verificationId'],
  'wallet-taken': ['wallet', 'memberId'],
  'challenge-mismatch': ['field'],
  'member-not-found': ['memberId'],
  'recipient-not-found': ['recipientId'],
  'self-transfer': ['memberId'],
  'too-many-tokens': ['requested'],
  'insufficient-points': ['memberId', 'balance', 'requested'],
  'balance-limit': ['balance'],
  'key-expired': ['keyId'],
  'key-replaced': ['keyId'],
  'webhook-target-refused': ['error'],
  'replay-beyond-end': ['fromSeq'],
  'default-required': ['realmPointId'],
  'default-archived': ['realmPointId'],
  'not-reversible': ['transactionId'],
  'reversal-exceeded': ['transactionId', 'remaining', 'requested'],
  'hold-exceeded': ['holdId', 'remaining', 'requested'],
  'offer-closed': ['offerId', 'opensAt', 'closesAt', 'offerStatus'],
  'offer-open': ['offerId', 'opensAt', 'offerStatus'],
  'offer-limit-reached': ['offerId', 'memberId', 'limit', 'nextAt'],
  'offer-requirement': ['offerId', 'memberId', 'requirement'],
  'price-changed': ['offerId', 'costs'],
  'discord-server-taken': ['guildId', 'realmId'],
  'chain-unavailable': ['chain', 'retryAfter'],
  'rate-limited': ['retryAfter'],
  overloaded: ['retryAfter'],
  'storage-full': ['retryAfter'],
  'storage-unavailable': ['retryAfter'],
  'outcome-unknown': ['retryAfter'],
};

/** Example values of the members that a problem has beyond those of every problem. */
export function exampleMembers(code: ProblemCode): JsonObject {
  const { sentence } = problems[code];
  const named = typeof sentence === 'string' ? sentence.matchAll(/\{(\w+)\}/g) : [];
  const names = [...Array.from(named, ([, name = '']) => name), ...(UNNAMED[code] ?? [])];
  return Object.fromEntries(
    names.filter((name) => name in MEMBERS).map((name) => [name, MEMBERS[name]]),
  );
}
