import type { Static } from 'typebox';
import { isAccepted } from '../../domain/rules/webhooks.ts';
import type { Delivery, Webhook as WebhookOf } from '../../domain/webhook.ts';
import { eventTypes } from '../event-types.ts';
import { iso, isoOrNull } from '../instants.ts';
import { defineFor } from '../operation.ts';
import * as s from '../schemas.ts';
import { Type } from '../type.ts';

const define = defineFor('Webhooks');

export const DEFAULT_OVERLAP_SECONDS = 86_400;

const names = Object.keys(eventTypes);
const groups = new Set(names.map((name) => name.replace(/\..*/, '.*')));
const TYPES = [...names, ...groups];

const types = {
  type: ['array', 'null'],
  items: { type: 'string', enum: TYPES },
  examples: [['points.*', 'member.created']],
};

const TypesIn = Type.Unsafe<string[] | null>({
  ...types,
  minItems: 1,
  maxItems: TYPES.length,
  uniqueItems: true,
  description:
    'The types of events to send, such as `points.added`, or `points.*` for all that begin so. ' +
    'All types if null or absent.',
  fault:
    'must be a list of different types of events, such as "points.added" or "points.*", or null',
});

const UrlIn = s.textIn(
  2048,
  'Where to send events, by http or https on port 80, 443, 8080 or 8443. The host must resolve ' +
    'to public addresses, and redirects are not followed.',
  { examples: ['https://bot.acme.example/realmkeep'] },
);

const DescriptionIn = s.nullableText(500, 'What it is for.');

const PAUSE_REASONS = ['requested', 'gone', 'failing', 'secret-unreadable'] as const;

const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    types: Type.Unsafe<string[] | null>({
      ...types,
      description: 'The types of events that are sent; null for all.',
    }),
    description: s.nullable(Type.String()),
    createdAt: s.Instant,
    updatedAt: s.Instant,
    paused: Type.Boolean(),
    pausedAt: s.nullable(s.Instant),
    pauseReason: Type.Unsafe<(typeof PAUSE_REASONS)[number] | null>({
      type: ['string', 'null'],
      enum: [...PAUSE_REASONS, null],
      description:
        '`requested`: by an admin. `gone`: the receiver answered 410. `failing`: no attempt ' +
        'succeeded for 3 days. `secret-unreadable`: its secret was sealed with another ' +
        '`SECRET_KEY` than this service has; rotate it.',
    }),
    position: Type.Integer({
      description: 'The `seq` of the last event that was delivered, or is not of these types.',
    }),
    attempts: Type.Integer({ description: 'Failed attempts to deliver the next event.' }),
    failingSince: s.nullable(s.Instant),
    nextAttemptAt: s.nullable(s.Instant),
    previousSecretUntil: s.nullable(s.Instant),
  },
  { title: 'Webhook' },
);

/** `isReadable`: whether this service can open its secret. */
export function webhookBody(webhook: WebhookOf, isReadable: boolean): Static<typeof Webhook> {
  const { id, url, description, pausedAt, position, attempts, failingSince, nextAt } = webhook;
  const isPaused = pausedAt !== null;
  return {
    id,
    url,
    types: webhook.types.length === 0 ? null : webhook.types,
    description,
    createdAt: iso(webhook.createdAt),
    updatedAt: iso(webhook.updatedAt),
    paused: isPaused || !isReadable,
    pausedAt: isoOrNull(pausedAt),
    pauseReason: isPaused || isReadable ? webhook.pauseReason : 'secret-unreadable',
    position,
    attempts,
    failingSince: isoOrNull(failingSince),
    nextAttemptAt: isPaused || nextAt === 0 ? null : iso(nextAt),
    previousSecretUntil: isoOrNull(webhook.previousUntil),
  };
}

const NewWebhook = Type.Object(
  {
    ...Webhook.properties,
    secret: s.nullable(
      Type.String({
        description:
          'Signs the events. Shown in this answer only; null in a replayed answer. Keep it.',
      }),
    ),
  },
  { title: 'NewWebhook' },
);

const example: Static<typeof Webhook> = {
  id: 'q7Lm20RtYb5c',
  url: 'https://bot.acme.example/realmkeep',
  types: ['points.*'],
  description: 'shop bot',
  createdAt: '2026-11-14T09:30:00.000Z',
  updatedAt: '2026-11-14T09:30:00.000Z',
  paused: false,
  pausedAt: null,
  pauseReason: null,
  position: 982,
  attempts: 0,
  failingSince: null,
  nextAttemptAt: null,
  previousSecretUntil: null,
};
const newExample = { ...example, secret: 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample=' };

export const createWebhook = define({
  summary: 'Create a webhook',
  description:
    'From now on, every event of the realm is sent to the URL by POST: in order, at least once, ' +
    'signed by [Standard Webhooks](https://www.standardwebhooks.com). An answer other than 2xx ' +
    'is tried again with growing pauses for 3 days. A realm has at most 20 webhooks.',
  body: {
    schema: Type.Object({
      url: UrlIn,
      ...s.optional({ types: TypesIn, description: DescriptionIn }),
    }),
    example: { url: example.url, types: ['points.*'], description: 'shop bot' },
  },
  answer: s.created(NewWebhook, newExample),
  problems: ['webhook-target-refused', 'limit-reached'],
});

export const listWebhooks = define({
  summary: 'List webhooks',
  description: 'The realm’s webhooks without their secrets, with how far their deliveries are.',
  query: Type.Object(s.PageQuery),
  answer: s.listAnswer(Webhook, example),
});

export const getWebhook = define({
  summary: 'Read a webhook',
  description: 'One webhook without its secret.',
  answer: s.ok(Webhook, example),
  problems: ['webhook-not-found'],
});

export const updateWebhook = define({
  summary: 'Change a webhook',
  description:
    'Changes the fields that are present. `"paused": true` pauses it; `false` resumes it with ' +
    'the next event that it has not been sent. Senders notice within 2 seconds.',
  body: {
    schema: Type.Object(
      s.optional({
        url: UrlIn,
        types: TypesIn,
        description: DescriptionIn,
        paused: s.booleanIn('Whether it is paused.'),
      }),
    ),
    example: { paused: false, description: 'shop bot' },
  },
  answer: s.ok(Webhook, example),
  problems: ['webhook-not-found', 'webhook-target-refused'],
});

export const deleteWebhook = define({
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to it after 2 seconds.',
  answer: s.NO_CONTENT,
  inArchived: true,
  problems: ['webhook-not-found'],
});

export const rotateWebhook = define({
  summary: 'Rotate the secret of a webhook',
  description:
    'Issues a new secret. For `overlapSeconds`, events have a signature by the old one as well, ' +
    'so that the receiver can switch without rejecting any.',
  body: {
    optional: true,
    schema: Type.Object({
      overlapSeconds: Type.Optional(
        s.integerIn(
          0,
          2_592_000,
          `How long the old secret signs as well. Default ${DEFAULT_OVERLAP_SECONDS}, ` +
            'at most 30 days.',
        ),
      ),
    }),
    example: { overlapSeconds: 3600 },
  },
  answer: s.created(NewWebhook, newExample),
  problems: ['webhook-not-found'],
});

const outcome = {
  status: s.nullable(
    Type.Integer({ description: 'The HTTP status; null if there was no complete answer.' }),
  ),
  latencyMs: Type.Integer(),
  answer: s.nullable(Type.String({ description: 'The first 1 KiB of the answer.' })),
  error: s.nullable(
    Type.String({
      description:
        'Why there was no complete answer: `timeout`, `refused-target`, `name-not-resolved`, ' +
        '`connection-failed`, `tls-failed` or `invalid-answer`.',
    }),
  ),
};

export const testWebhook = define({
  summary: 'Send a test event',
  description:
    'Sends one signed event of the type `webhook.test` at once, even if the webhook is paused, ' +
    'and answers with the outcome. It is in no journal and is not tried again.',
  answer: s.ok(Type.Object({ delivered: Type.Boolean(), ...outcome }, { title: 'TestDelivery' }), {
    delivered: true,
    status: 200,
    latencyMs: 84,
    answer: 'ok',
    error: null,
  }),
  onlyReads: true,
  problems: ['webhook-not-found', 'webhook-secret-unreadable'],
});

export const replayWebhook = define({
  summary: 'Send events again',
  description:
    'Continues with the event `fromSeq`, which may have been sent already. Each event keeps its ' +
    '`webhook-id`.',
  body: {
    schema: Type.Object({
      fromSeq: s.integerIn(1, s.MAX_TOKENS, 'The `seq` of the first event to send.'),
    }),
    example: { fromSeq: 1 },
  },
  answer: s.ok(Webhook, example),
  problems: ['webhook-not-found', 'replay-beyond-end'],
});

const DeliveryItem = Type.Object(
  {
    id: Type.Integer({ description: 'Larger for later ones.' }),
    seq: Type.Integer({ description: 'The event.' }),
    type: Type.String(),
    attempt: Type.Integer({ description: '1 for the first attempt.' }),
    at: s.Instant,
    delivered: Type.Boolean(),
    ...outcome,
  },
  { title: 'Delivery' },
);

export function deliveryBody(delivery: Delivery): Static<typeof DeliveryItem> {
  const { webhookId: _, at, ...rest } = delivery;
  return { ...rest, at: iso(at), delivered: isAccepted(delivery.status) };
}

export const listDeliveries = define({
  summary: 'List deliveries',
  description: 'The newest 200 attempts to deliver events, newest first.',
  query: Type.Object(s.PageQuery),
  answer: s.listAnswer(DeliveryItem, {
    id: 1794821400000000,
    seq: 982,
    type: 'points.transferred',
    attempt: 1,
    at: '2026-11-14T09:30:00.084Z',
    delivered: false,
    status: 500,
    latencyMs: 84,
    answer: 'Internal Server Error',
    error: null,
  }),
  problems: ['webhook-not-found'],
});
