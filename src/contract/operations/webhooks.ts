import type { Static } from 'typebox';
import { isAccepted } from '../../domain/rules/webhooks.ts';
import type { Delivery, Webhook as WebhookOf } from '../../domain/webhook.ts';
import { eventTypes } from '../event-types.ts';
import { iso, isoOrNull } from '../instants.ts';
import { created, defineFor, NO_CONTENT, ok } from '../operation.ts';
import { pagesOf } from '../pages.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Webhooks');

export const DEFAULT_OVERLAP_SECONDS = 86_400;

const names = Object.keys(eventTypes);
const groups = new Set(names.map((name) => name.replace(/\..*/, '.*')));
const TYPES = [...names, ...groups];

const types = {
  type: ['array', 'null'],
  items: { type: 'string', enum: TYPES, unlisted: 'is no event type' },
  examples: [['points.*', 'member.created']],
};

const fields = {
  url: s.textIn(
    2048,
    'Where to send events, by http or https on port 80, 443, 8080 or 8443. The host must resolve ' +
      'to public addresses, and redirects are not followed.',
    { examples: ['https://bot.acme.example/realmkeep'] },
  ),
  types: Type.Unsafe<string[] | null>({
    ...types,
    minItems: 1,
    maxItems: TYPES.length,
    uniqueItems: true,
    description:
      'The types of events to send, such as `points.added`, or `points.*` for all that begin so. ' +
      'All types if null or absent.',
    fault:
      'must be a list of different types of events, such as "points.added" or "points.*", or null',
  }),
  description: s.nullableText(500, 'What it is for.', 'shop bot'),
};

const Webhook = named('Webhook', {
  id: s.text('The id of the webhook.', 'q7Lm20RtYb5c'),
  url: s.text('Where events are sent.', 'https://bot.acme.example/realmkeep'),
  types: Type.Unsafe<string[] | null>({
    ...types,
    description: 'The types of events that are sent; null for all.',
  }),
  description: fields.description,
  createdAt: s.Instant,
  updatedAt: s.Instant,
  paused: s.flag('Whether nothing is sent.'),
  pausedAt: s.InstantOrNull,
  pauseReason: s.nullable(
    s.choiceOf(['requested', 'gone', 'failing', 'secret-unreadable'], {
      description:
        '`requested`: by an admin. `gone`: the receiver answered 410. `failing`: no attempt ' +
        'succeeded for 3 days. `secret-unreadable`: its secret was sealed with another ' +
        '`SECRET_KEY` than this service has; rotate it.',
    }),
  ),
  position: s.integer(
    'The `seq` of the last event that was delivered, or is not of these types.',
    982,
  ),
  attempts: s.integer('Failed attempts to deliver the next event.', 0),
  failingSince: s.InstantOrNull,
  nextAttemptAt: s.InstantOrNull,
  previousSecretUntil: s.InstantOrNull,
});

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

const NewWebhook = named('NewWebhook', {
  ...Webhook.properties,
  secret: s.nullable(
    s.text(
      'Signs the events. Shown in this answer only; null in a replayed answer. Keep it.',
      'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample=',
    ),
  ),
});

export const createWebhook = define({
  summary: 'Create a webhook',
  description:
    'From now on, every event of the realm is sent to the URL by POST: in order, at least once, ' +
    'signed by [Standard Webhooks](https://www.standardwebhooks.com). An answer other than 2xx ' +
    'is tried again with growing pauses for 3 days. A realm has at most 20 webhooks.',
  body: Type.Object({ ...s.optional(fields), url: fields.url }),
  example: {
    url: 'https://bot.acme.example/realmkeep',
    types: ['points.*', 'member.created'],
    description: 'shop bot',
  },
  answer: created(NewWebhook),
  problems: ['webhook-target-refused', 'limit-reached'],
});

export const listWebhooks = define({
  summary: 'List webhooks',
  description: 'The realm’s webhooks without their secrets, with how far their deliveries are.',
  ...pagesOf(Webhook),
});

export const getWebhook = define({
  summary: 'Read a webhook',
  description: 'One webhook without its secret.',
  answer: ok(Webhook),
});

export const updateWebhook = define({
  summary: 'Change a webhook',
  description:
    'Changes the fields that are present. `"paused": true` pauses it; `false` resumes it with ' +
    'the next event that it has not been sent. Senders notice within 2 seconds.',
  body: Type.Object(s.optional({ ...fields, paused: s.booleanIn('Whether it is paused.') })),
  example: { paused: false, description: 'shop bot' },
  answer: ok(Webhook),
  problems: ['webhook-target-refused'],
});

export const deleteWebhook = define({
  summary: 'Delete a webhook',
  description: 'Nothing more is sent to it after 2 seconds.',
  answer: NO_CONTENT,
  inArchived: true,
});

export const rotateWebhook = define({
  summary: 'Rotate the secret of a webhook',
  description:
    'Issues a new secret. For `overlapSeconds`, events have a signature by the old one as well, ' +
    'so that the receiver can switch without rejecting any.',
  body: s.overlapBody('the old secret signs as well', DEFAULT_OVERLAP_SECONDS),
  example: { overlapSeconds: 3600 },
  bodyOptional: true,
  answer: created(NewWebhook),
});

const outcome = {
  status: s.nullable(s.integer('The HTTP status; null if there was no complete answer.', 200)),
  latencyMs: s.integer('Milliseconds until the answer.', 84),
  answer: s.nullable(s.text('The first 1 KiB of the answer.', 'ok')),
  error: s.nullable(
    s.text(
      'Why there was no complete answer: `timeout`, `refused-target`, `name-not-resolved`, ' +
        '`connection-failed`, `tls-failed` or `invalid-answer`.',
    ),
  ),
};
const Delivered = s.flag('Whether the receiver accepted it.', true);

export const testWebhook = define({
  summary: 'Send a test event',
  description:
    'Sends one signed event of the type `webhook.test` at once, even if the webhook is paused, ' +
    'and answers with the outcome. It is in no journal and is not tried again.',
  answer: ok(named('TestDelivery', { delivered: Delivered, ...outcome })),
  onlyReads: true,
  problems: ['webhook-secret-unreadable'],
});

export const replayWebhook = define({
  summary: 'Send events again',
  description:
    'Continues with the event `fromSeq`, which may have been sent already. Each event keeps its ' +
    '`webhook-id`.',
  body: Type.Object({
    fromSeq: s.integerIn(1, s.MAX_TOKENS, 'The `seq` of the first event to send.'),
  }),
  example: { fromSeq: 1 },
  answer: ok(Webhook),
  problems: ['replay-beyond-end'],
});

const delivery = {
  id: s.integer('Larger for later ones.', 1794821400000000),
  seq: s.integer('The event.', 982),
  type: s.text('The type of the event.', 'points.transferred'),
  attempt: s.integer('1 for the first attempt.', 1),
  at: s.Instant,
  delivered: Delivered,
  ...outcome,
};
const DeliveryItem = named('Delivery', delivery);

export function deliveryBody(made: Delivery): Static<typeof DeliveryItem> {
  const { webhookId: _, at, ...rest } = made;
  return { ...rest, at: iso(at), delivered: isAccepted(made.status) };
}

export const listDeliveries = define({
  summary: 'List deliveries',
  description: 'The newest 200 attempts to deliver events, newest first.',
  ...pagesOf(DeliveryItem),
});

export const getDelivery = define({
  summary: 'Read a delivery',
  description:
    'One attempt with the event that was sent, as the journal has it now: without what was ' +
    'erased since.',
  answer: ok(
    named('DeliveryWithPayload', {
      ...delivery,
      messageId: s.text('The header `webhook-id`.', 'msg_q7Lm20RtYb5c_982'),
      payload: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The body: the event as the feed gives it, with `realmId` and `timestamp`.',
        examples: [
          {
            seq: 982,
            type: 'points.transferred',
            at: '2026-11-14T09:30:00.000Z',
            actor: 'key:k3Jx81PzQw2m',
            data: eventTypes['points.transferred'].example,
            realmId: 'acme',
            timestamp: '2026-11-14T09:30:00.000Z',
          },
        ],
      }),
    }),
  ),
});

export const resendDelivery = define({
  summary: 'Send a delivery again',
  description:
    'Sends the event of this attempt once more, at once and beside those that wait, even if the ' +
    'webhook is paused, and answers with the outcome, which is listed as an attempt. It is not ' +
    'tried again, and the webhook goes on where it is.',
  answer: ok(DeliveryItem),
  // An attempt is no change of the realm: it has neither a record nor a stored answer.
  onlyReads: true,
  problems: ['webhook-secret-unreadable'],
});
