import { eventTypes } from '../event-types.ts';
import { accepted, defineFor, ok } from '../operation.ts';
import { PageQuery } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Journal');

const Event = named('Event', {
  seq: s.integer('Its number in the realm’s journal: 1, 2, 3, … without gaps.', 982),
  type: s.text('What happened.', 'points.transferred'),
  at: s.Instant,
  actor: s.text('The caller: `root`, `cli`, `service` or `key:<public id>`.', 'key:k3Jx81PzQw2m'),
  onBehalfOf: s.shownOnBehalfOf,
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    examples: [eventTypes['points.transferred'].example],
  }),
});

const types = Object.keys(eventTypes);
const anyType = `(${types.join('|').replaceAll('.', '\\.')})`;

const TYPES_FAULT = 'must be types of events, separated by commas, such as points.added';

const LastEventId = Type.String({
  pattern: '^(0|[1-9][0-9]{0,14})$',
  description: 'Of a stream: the `id` of the last event you have. It counts rather than `after`.',
  fault: 'must be the id of an event: an integer, 0 or more',
});

export const listEvents = define({
  summary: 'Read the event feed, or follow it',
  description:
    'The realm’s journal, in order: everything that ever happened. Call again with `after` set ' +
    'to the `lastSeq` of the answer, and you get every event exactly once. A page of large ' +
    'events has fewer than `limit`, and so has one with `types`, perhaps none: the end is where ' +
    '`lastSeq` is your `after`.\n\nWith `before` the newest come first, and those of `types` ' +
    'are found by an index, however rare they are. Go on with `before` set to `lastSeq`, until ' +
    'that is 1.\n\nWith `Accept: text/event-stream` the answer is a stream of ' +
    'server-sent events that does not end: first the events after `after` or `Last-Event-ID`, ' +
    'then each as it happens. `id` is the `seq`, `event` the type, `data` the event as JSON. ' +
    'A comment comes every 15 seconds; `limit` and `before` do not matter. When the connection ' +
    'ends, connect again with the last `id` as `Last-Event-ID`, as browsers do by themselves.',
  query: Type.Object({
    limit: PageQuery.limit,
    ...s.optional({
      after: s.integerInQuery({ minimum: 0, default: 0 }, 'The last `seq` you have seen.'),
      before: s.integerInQuery({ minimum: 1 }, 'Newest first: the events before this `seq`.'),
      types: Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        pattern: `^${anyType}(,${anyType})*$`,
        items: { type: 'string', enum: types, fault: TYPES_FAULT },
        description: 'Only events of these types, separated by commas or as a repeated parameter.',
        examples: [['points.added', 'points.transferred']],
        fault: TYPES_FAULT,
      }),
    }),
  }),
  stream: { headers: Type.Object({ 'last-event-id': Type.Optional(LastEventId) }) },
  answer: ok(
    Type.Object({
      items: Type.Array(Event),
      lastSeq: s.integer('How far this page goes: the next `after`, or `before`.', 982),
    }),
  ),
});

export const getEvent = define({
  summary: 'Get an event',
  description: 'One event by its `seq`, with the hash that chains its record to those before it.',
  answer: ok(
    named('EventWithHash', {
      ...Event.properties,
      hash: s.text(
        'SHA-256, in hex, of the hash before it and the text of its record: it covers the ' +
          'whole journal up to here.',
        'b5bb9d80…',
      ),
    }),
  ),
});

const Verdict = named('Verdict', {
  ok: s.flag('Whether everything is as the journal says.', true),
  transactions: s.integer('Movements of points that passed.', 900),
  records: s.integer('Journal records that passed.', 982),
  ...s.optional({
    members: s.integer('Members that passed.', 2),
    head: s.text('The hash of the last record.', 'b5bb9d80…'),
    fault: Type.Object({
      seq: s.nullable(s.integer('The record, if the fault is of one.')),
      ...s.optional({
        memberId: s.MemberId,
        realmPointId: s.text('The kind of points.'),
        projection: s.text(
          'The table of statements or leaderboards that differs from the journal, which is ' +
            'right.',
        ),
      }),
      detail: s.text('What is wrong.'),
    }),
  }),
});

const INTACT = { ok: true, transactions: 900, records: 982, members: 2, head: 'b5bb9d80…' };

const Verification = named('Verification', {
  id: s.text('The id of the check.', 'kP3xVq81mZ0a'),
  status: s.choiceOf(['queued', 'running', 'done', 'failed'], {
    description:
      '`failed`: the check could not be completed, because the storage failed or the service ' +
      'was stopped. Start another one.',
  }),
  step: s.nullable(
    s.choiceOf(['journal', 'tables', 'projections'], {
      description: 'What is being checked; null while it waits.',
    }),
  ),
  checked: s.integer('The records or rows of this step that passed so far.', 0),
  total: s.nullable(s.integer('How many the step has; null if that is not known.')),
  result: s.nullable(Verdict),
});

const WHAT =
  'Checks the hash chain of the journal, recomputes every balance from it, and compares members, ' +
  'wallets, keys, holds, point kinds, reversals, statements and leaderboards with it. `fault` ' +
  'names the first discrepancy. ';

export const verifyRealm = define({
  summary: 'Verify a realm',
  description:
    `${WHAT}Realms are checked one at a time, and a large one takes a while: to follow the ` +
    'check, start it with `POST`.',
  answer: ok(Verdict, INTACT),
});

export const startVerification = define({
  summary: 'Start to verify a realm',
  description:
    `${WHAT}The answer comes at once, and \`Location\` is where to follow the check. If one of ` +
    'the realm is already queued or running, the answer is that one.',
  answer: accepted(Verification),
  onlyReads: true,
});

export const getVerification = define({
  summary: 'Follow the check of a realm',
  description:
    'A check runs in the process that accepted it and is forgotten when that process stops. The ' +
    'last three finished checks of a realm can be looked up.',
  answer: ok(Verification, {
    status: 'done',
    step: 'projections',
    checked: 2710,
    result: INTACT,
  }),
});
