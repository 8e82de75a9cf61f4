import { eventTypes } from '../event-types.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Journal');

const Event = Type.Object(
  {
    seq: Type.Integer({
      description: 'Its number in the realm’s journal: 1, 2, 3, … without gaps.',
    }),
    type: Type.String(),
    at: s.Instant,
    actor: Type.String(),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'Event' },
);

const types = Object.keys(eventTypes);
const anyType = `(${types.join('|').replaceAll('.', '\\.')})`;

const TYPES_FAULT = 'must be types of events, separated by commas, such as points.added';

const LastEventId = Type.String({
  pattern: '^(0|[1-9][0-9]{0,14})$',
  description: 'Of a stream: the `id` of the last event you have. It counts rather than `after`.',
  fault: 'must be the id of an event: an integer, 0 or more',
});

const EXAMPLE = {
  seq: 982,
  type: 'points.transferred',
  at: '2026-11-14T09:30:00.000Z',
  actor: 'key:k3Jx81PzQw2m',
  data: { ...eventTypes['points.transferred'].example },
};

export const listEvents = define({
  summary: 'Read the event feed, or follow it',
  description:
    'The realm’s journal, in order: everything that ever happened. Call again with `after` set ' +
    'to the `lastSeq` of the answer, and you get every event exactly once. A page of large ' +
    'events has fewer than `limit`, and so has one with `types`, perhaps none: the end is where ' +
    '`lastSeq` is your `after`.\n\nWith `Accept: text/event-stream` the answer is a stream of ' +
    'server-sent events that does not end: first the events after `after` or `Last-Event-ID`, ' +
    'then each as it happens. `id` is the `seq`, `event` the type, `data` the event as JSON. ' +
    'A comment comes every 15 seconds, and `limit` does not matter. When the connection ends, ' +
    'connect again with the last `id` as `Last-Event-ID`, as browsers do by themselves.',
  query: Type.Object({
    limit: s.PageQuery.limit,
    after: Type.Optional(
      s.integerInQuery({ minimum: 0, default: 0 }, 'The last `seq` you have seen.'),
    ),
    types: Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        pattern: `^${anyType}(,${anyType})*$`,
        items: { type: 'string', enum: types, fault: TYPES_FAULT },
        description: 'Only events of these types, separated by commas or as a repeated parameter.',
        examples: [['points.added', 'points.transferred']],
        fault: TYPES_FAULT,
      }),
    ),
  }),
  stream: {
    headers: Type.Object({ 'last-event-id': Type.Optional(LastEventId) }),
    example: `id: 982\nevent: points.transferred\ndata: ${JSON.stringify(EXAMPLE)}\n\n`,
  },
  answer: s.ok(
    Type.Object({
      items: Type.Array(Event),
      lastSeq: Type.Integer({ description: 'How far this page goes: the next `after`.' }),
    }),
    {
      items: [EXAMPLE],
      lastSeq: 982,
    },
  ),
});

export const getEvent = define({
  summary: 'Get an event',
  description: 'One event by its `seq`, with the hash that chains its record to those before it.',
  answer: s.ok(
    Type.Object(
      {
        ...Event.properties,
        hash: Type.String({
          description:
            'SHA-256, in hex, of the hash before it and the text of its record: it covers the ' +
            'whole journal up to here.',
        }),
      },
      { title: 'EventWithHash' },
    ),
    { ...EXAMPLE, hash: 'b5bb9d80…' },
  ),
  problems: ['event-not-found'],
});

const Verdict = Type.Object(
  {
    ok: Type.Boolean(),
    transactions: Type.Integer({ description: 'Movements of points that passed.' }),
    records: Type.Integer({ description: 'Journal records that passed.' }),
    ...s.optional({
      members: Type.Integer(),
      head: Type.String({ description: 'The hash of the last record.' }),
      fault: Type.Object({
        seq: s.nullable(Type.Integer()),
        ...s.optional({
          memberId: s.MemberId,
          realmPointId: Type.String(),
          projection: Type.String({
            description:
              'The table of statements or leaderboards that differs from the journal, which is ' +
              'right.',
          }),
        }),
        detail: Type.String(),
      }),
    }),
  },
  { title: 'Verdict' },
);

const INTACT = { ok: true, transactions: 900, records: 982, members: 2, head: 'b5bb9d80…' };

const Verification = Type.Object(
  {
    id: Type.String(),
    status: Type.Unsafe<'queued' | 'running' | 'done' | 'failed'>({
      type: 'string',
      enum: ['queued', 'running', 'done', 'failed'],
      description:
        '`failed`: the check could not be completed, because the storage failed or the service ' +
        'was stopped. Start another one.',
    }),
    step: Type.Unsafe<'journal' | 'tables' | 'projections' | null>({
      type: ['string', 'null'],
      enum: ['journal', 'tables', 'projections', null],
      description: 'What is being checked; null while it waits.',
    }),
    checked: Type.Integer({ description: 'The records or rows of this step that passed so far.' }),
    total: s.nullable(
      Type.Integer({ description: 'How many the step has; null if that is not known.' }),
    ),
    result: s.nullable(Verdict),
  },
  { title: 'Verification' },
);

const WHAT =
  'Checks the hash chain of the journal, recomputes every balance from it, and compares members, ' +
  'point kinds, reversals, statements and leaderboards with it. `fault` names the first ' +
  'discrepancy. ';

export const verifyRealm = define({
  summary: 'Verify a realm',
  description:
    `${WHAT}Realms are checked one at a time, and a large one takes a while: to follow the ` +
    'check, start it with `POST`.',
  answer: s.ok(Verdict, INTACT),
});

export const startVerification = define({
  summary: 'Start to verify a realm',
  description:
    `${WHAT}The answer comes at once, and \`Location\` is where to follow the check. If one of ` +
    'the realm is already queued or running, the answer is that one.',
  answer: s.accepted(Verification, {
    id: 'kP3xVq81mZ0a',
    status: 'queued',
    step: null,
    checked: 0,
    total: null,
    result: null,
  }),
  onlyReads: true,
});

export const getVerification = define({
  summary: 'Follow the check of a realm',
  description:
    'A check runs in the process that accepted it and is forgotten when that process stops. The ' +
    'last three finished checks of a realm can be looked up.',
  answer: s.ok(Verification, {
    id: 'kP3xVq81mZ0a',
    status: 'done',
    step: 'projections',
    checked: 2710,
    total: null,
    result: INTACT,
  }),
  problems: ['verification-not-found'],
});
