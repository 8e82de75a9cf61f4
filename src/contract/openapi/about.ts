import type { JsonObject } from './plain-schema.ts';

/** The introduction that a reader of the reference sees first. */
export const about = `
Realmkeep keeps a community's members, wallets and points. A **realm** is one community; every
member, wallet and key belongs to exactly one.

Bodies are JSON in UTF-8. Times are RFC 3339 in UTC, such as \`2026-11-14T09:30:00.000Z\`. Unknown
fields in a request are ignored; types are never converted: \`"5"\` is not \`5\`.

## Authentication

Send a key with every call, as \`Authorization: Bearer <key>\`. The bare key, without \`Bearer\`,
is taken too.

A realm's keys reach that realm only, with one or more scopes: \`read\`; \`write\` (members,
wallets, points), which implies \`read\`; \`admin\` (keys, settings, kinds of points, assets,
verify), which implies both. The **root key** of the service may do everything in every realm.

## Ids

A realm id is 1 to 64 letters, digits, \`_\` or \`-\`. A member id is an integer from 1 to 2^63-1,
so that a Discord user id can be one. In a request it may be a JSON integer, read without loss, or a
string of digits. In an answer it is always a **string of digits**, because many clients cannot hold
a number that large. Points are JSON integers up to 2^53-1.

## Idempotency

Every POST and PATCH takes an \`Idempotency-Key\`: 1 to 255 visible ASCII characters of your
choice, such as a UUID. When the answer to a call got lost, send the same call with the same key:
it has its effect once, and you get the first answer again, with \`Idempotent-Replayed: true\`. A
secret in that answer is then \`null\`, because secrets are not kept. Keys are remembered for at
least 30 days. A refused call leaves its key free.

## Errors

A refusal changes nothing. It is \`application/problem+json\` (RFC 9457): \`code\` is for
programs, \`detail\` says in a sentence what to do, and \`requestId\` is the \`x-request-id\` of the
answer. Checks come in this order: path (404 \`not-found\`), method (405
\`method-not-allowed\`, with \`Allow\`), key (401), realm and scope (403), request (400), then what
is kept (404, 409, 422). Paths match exactly. Each call lists the codes it can answer with; more
may be added.

On 503 wait for the seconds in \`Retry-After\` and try again.

## Pages

Lists answer \`{ "items": […], "nextCursor": … }\`. Pass \`nextCursor\` as \`cursor\` for the next
page, until it is \`null\`. A walk through the pages meets every row that was there at its start
exactly once, while writes go on.

## Changes

Within v4 changes only add. What is to go is announced 12 months ahead, with the headers
\`Deprecation\` and \`Sunset\`.
`.trim();

export const tags: JsonObject[] = [
  { name: 'Realms', description: 'A realm is one community, with its settings.' },
  { name: 'Keys', description: 'API keys of a realm: issue, list, rotate and revoke them.' },
  { name: 'Members', description: 'The people of a realm, with their accounts and balances.' },
  { name: 'Wallets', description: 'EVM, Solana and Bitcoin addresses, and whose they are.' },
  { name: 'Assets', description: 'Token contracts that a realm asks its members’ wallets about.' },
  { name: 'Points', description: 'Move points: add, subtract, transfer, one or many at once.' },
  {
    name: 'Kinds of points',
    description: 'A realm can have several kinds of points, each with its own floor and ceiling.',
  },
  {
    name: 'Transactions',
    description: 'What moved points: statements, reversals, balances of the past.',
  },
  { name: 'Holds', description: 'Points set aside for a purchase, then captured or released.' },
  { name: 'Leaderboards', description: 'Members by their points, all time or in a window.' },
  { name: 'Journal', description: 'Everything that ever happened, and the proof that it is true.' },
];

export const headers: JsonObject = {
  RequestId: {
    description: 'Names this request in the logs: yours, if you sent one, else a new one.',
    schema: { type: 'string' },
    example: 'Zk3q9XbT-4f',
  },
  Replayed: {
    description: '`true` when this is the kept answer to an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Challenge: {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
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
      'A key of the realm, or the root key. The bare key without `Bearer` is taken too. The ' +
      'scopes are `read`, `write` (implies `read`) and `admin` (implies both).',
  },
};
