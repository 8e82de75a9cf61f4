import type { JsonObject } from './plain-schema.ts';

/** The introduction of the API reference. */
export const about = `
Realmkeep is a ledger of a community's members, wallets and points. A **realm** is one community;
every member, wallet and key belongs to exactly one.

Bodies are JSON in UTF-8. Times are RFC 3339 in UTC, such as \`2026-11-14T09:30:00.000Z\`. Unknown
fields in a request are ignored; the answer to a create or change names them in
\`x-realmkeep-ignored\`. Types are never converted: \`"5"\` is not \`5\`.

## Authentication

Send a key with every call as \`Authorization: Bearer <key>\`. The bare key, without \`Bearer\`, is
accepted too.

A key is valid for one realm and has one or more scopes: \`read\`; \`write\` (members, wallets,
points), which implies \`read\`; and \`admin\` (keys, webhooks, settings, kinds of points, assets,
verify), which implies both. The **root key** of the service may do everything in every realm.

People sign in to the console with a passkey, a one-time link or a key and get a session, whose
cookie takes the place of the header. If a
call has both, the header counts. A call with the cookie needs \`x-realmkeep-console: 1\` (403
\`console-header-missing\`).

## Ids

A realm id is 1 to 64 letters, digits, \`_\` or \`-\`. A member id is an integer from 1 to 2^63-1,
so a Discord user id can serve as one. In a request it may be a JSON integer, read without loss of
precision, or a string of digits. In an answer it is always a **string of digits**, because many
clients cannot represent numbers that large. Points are JSON integers up to 2^53-1; sums of them
may exceed it. An empty or null \`realmPointId\` means the realm's default kind of points.

## Idempotency

Every POST, PUT and PATCH accepts an \`Idempotency-Key\`: 1 to 255 visible ASCII characters of your
choice, such as a UUID. If an answer is lost, send the same call with the same key: it takes effect
once, and you get the first answer again, with \`Idempotent-Replayed: true\`. A secret in a replayed
answer is \`null\`, because secrets are not stored. Keys are stored for at least 30 days. A refused
call leaves its key free, so a delayed copy of it may still take effect: use a new key for a new
attempt.

## Errors

A refused call changes nothing. Its answer is \`application/problem+json\` (RFC 9457): \`code\` is
for programs, \`detail\` is a sentence that says what to do, \`message\` one to show to the member
("Alice has 10 points and needs 60."), the same where the program is at fault, and
\`requestId\` is the \`x-request-id\` of the answer. Checks run in this order: path (404
\`not-found\`), method (405 \`method-not-allowed\`, with \`Allow\`), key (401), realm and scope
(403), request (400), then the state of the realm (404, 409, 422). Paths match exactly. Each call
lists its codes; more may be added.

On 429 and 503, wait for the seconds in \`Retry-After\`, also as \`retryAfter\`, and try again.

## Rate limits

Each key has a bucket of requests, by default 200, which fills up again at 100 a second; a realm can
set its own. \`RateLimit-Policy: "default";q=200;w=2\` is its size and the seconds in which it fills
up, and \`RateLimit: "default";r=187;t=1\` is what is left for the next second (the IETF draft
*RateLimit header fields for HTTP*). A request too many gets 429 \`rate-limited\` with
\`Retry-After\`. The root key is not limited.

## Pages

Lists answer \`{ "items": […], "nextCursor": … }\`. Pass \`nextCursor\` as \`cursor\` for the next
page, until it is \`null\`. Paging through a list returns every row that existed at the start
exactly once, even during writes.

## Changes

Within v4, changes are backwards compatible. Removals are announced 12 months ahead, with the
headers \`Deprecation\` and \`Sunset\`.
`.trim();

export const tags: JsonObject[] = [
  { name: 'Realms', description: 'A realm is one community and its settings.' },
  { name: 'Keys', description: 'Issue, list, rotate and revoke the API keys of a realm.' },
  { name: 'Members', description: 'The people of a realm, with their accounts and balances.' },
  { name: 'Wallets', description: 'EVM, Solana and Bitcoin addresses and their owners.' },
  { name: 'Assets', description: 'Token contracts whose balances the members’ web3 data shows.' },
  { name: 'Points', description: 'Add, subtract and transfer points.' },
  {
    name: 'Kinds of points',
    description: 'A realm can have several kinds of points, each with its own bounds.',
  },
  {
    name: 'Transactions',
    description: 'Movements of points: statements, reversals and past balances.',
  },
  { name: 'Holds', description: 'Points set aside for a purchase, then captured or released.' },
  {
    name: 'Offers',
    description: 'What members may claim: rewards, quests, a shop, a raffle; and their claims.',
  },
  {
    name: 'Leaderboards',
    description: 'Members ranked by points, overall or in a window of time.',
  },
  { name: 'Webhooks', description: 'URLs that the events of a realm are sent to, signed.' },
  { name: 'Journal', description: 'Everything that ever happened, and its verification.' },
  {
    name: 'People',
    description: 'Who signs in to the console, with a role in a realm or as owner.',
  },
  { name: 'Sessions', description: 'Sign in with a passkey, a link or a key, and sign out.' },
];

export const headers: JsonObject = {
  RequestId: {
    description: 'Identifies this request in the logs: your own id if you sent one, or a new one.',
    schema: { type: 'string' },
    example: 'Zk3q9XbT-4f',
  },
  Location: {
    description: 'Where to follow what was accepted, or to find what was created.',
    schema: { type: 'string' },
  },
  Replayed: {
    description: '`true` if this is the stored answer to an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Challenge: {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Ignored: {
    description: 'The unknown fields of the body, which were ignored. Absent if there are none.',
    schema: { type: 'string' },
    example: 'entries.tokns',
  },
  RateLimit: {
    description: 'How many requests the key may make in the next second.',
    schema: { type: 'string' },
    example: '"default";r=187;t=1',
  },
  RateLimitPolicy: {
    description: 'How many requests the key may make at once, and the seconds to regain them.',
    schema: { type: 'string' },
    example: '"default";q=200;w=2',
  },
  RetryAfter: {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
};

export const securitySchemes: JsonObject = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rk_<id>_<secret>',
    description:
      'A key of the realm, or the root key. The bare key without `Bearer` is accepted too. The ' +
      'scopes are `read`, `write` (implies `read`) and `admin` (implies both).',
  },
};
