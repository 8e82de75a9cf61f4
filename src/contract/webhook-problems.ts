import { kind } from './problem-kind.ts';

/** The problems of webhooks. */
export const webhookKinds = {
  'webhook-not-found': kind(404, (x) => `This realm has no webhook ${x.webhookId}.`, {
    webhookId: 'q7Lm20RtYb5c',
  }),
  'webhook-target-refused': kind(
    422,
    'The host of the URL does not resolve to public addresses alone. Use a host that the ' +
      'internet can reach; for a private one, the operator sets WEBHOOK_ALLOW_PRIVATE.',
  ),
  'webhook-secret-unreadable': kind(
    422,
    (x) =>
      `The secret of webhook ${x.webhookId} was sealed with another SECRET_KEY than this ` +
      'service has. Rotate it with POST …/rotate, or ask the operator to restore the key.',
    { webhookId: 'q7Lm20RtYb5c' },
  ),
  'replay-beyond-end': kind(
    422,
    (x) => `The journal ends at ${x.lastSeq}. Choose a "fromSeq" of at most the one after it.`,
    { fromSeq: 990, lastSeq: 982 },
  ),
};
