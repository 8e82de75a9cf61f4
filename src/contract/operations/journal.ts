import Type from 'typebox';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';

const define = defineFor('Journal');

const Event = Type.Object({
  seq: Type.Integer({ description: 'Its number in the realm’s journal: 1, 2, 3, … without gaps.' }),
  type: Type.String(),
  at: s.Instant,
  actor: Type.String(),
  data: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
});

export const listEvents = define({
  summary: 'Read the event feed',
  description:
    'The realm’s journal, in order: everything that ever happened. Call again with `after` set ' +
    'to the last `seq` you have seen, and you get every event exactly once. A page of large ' +
    'events has fewer than `limit`: only an empty page is the end.',
  query: Type.Object({
    limit: s.PageQuery.limit,
    after: Type.Optional(
      Type.String({
        pattern: '^(0|[1-9][0-9]{0,14})$',
        integerInQuery: { minimum: 0, default: 0 },
        description: 'The last `seq` you have seen.',
        fault: 'must be an integer, 0 or more',
      }),
    ),
  }),
  answer: s.ok(
    Type.Object({
      items: Type.Array(Event),
      lastSeq: Type.Integer({ description: 'The last `seq` of this page, or `after`.' }),
    }),
    {
      items: [
        {
          seq: 982,
          type: 'points.transferred',
          at: '2026-11-14T09:30:00.000Z',
          actor: 'key:k3Jx81PzQw2m',
          data: {
            memberId: '42',
            recipientId: '43',
            tokens: 50,
            realmPointId: 'points',
            senderBalance: 1250,
            recipientBalance: 50,
          },
        },
      ],
      lastSeq: 982,
    },
  ),
});

export const verifyRealm = define({
  summary: 'Verify a realm',
  description:
    'Recomputes every balance from the journal and checks its hash chain. `fault` names the ' +
    'first discrepancy. Takes a while for a large realm.',
  answer: s.ok(
    Type.Object({
      ok: Type.Boolean(),
      transactions: Type.Integer({ description: 'Movements of points that passed.' }),
      records: Type.Integer({ description: 'Journal records that passed.' }),
      ...s.optional({
        members: Type.Integer(),
        head: Type.String({ description: 'The hash of the last record.' }),
        fault: Type.Object({
          seq: s.nullable(Type.Integer()),
          ...s.optional({ memberId: s.MemberId, realmPointId: Type.String() }),
          detail: Type.String(),
        }),
      }),
    }),
    { ok: true, transactions: 900, records: 982, members: 2, head: 'b5bb9d80…' },
  ),
});
