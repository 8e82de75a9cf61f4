/**
 * The schemas of a transfer in plain JSON Schema, because the contract's have words of our own,
 * which the validation that Fastify brings along does not know. Where the contract allows more (a
 * recipient as a number), this takes the cheaper way, so comparisons are never flattering.
 */
const memberId = { type: 'string', pattern: '^[1-9][0-9]{0,18}$' };
const realmPointId = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,31}$' };

export const transferSchema = {
  params: {
    type: 'object',
    required: ['realmID', 'memberID'],
    properties: {
      realmID: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' },
      memberID: memberId,
    },
  },
  body: {
    type: 'object',
    required: ['recipientId', 'tokens'],
    properties: {
      recipientId: memberId,
      tokens: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      description: { type: 'string', maxLength: 500 },
      realmPointId,
    },
  },
  response: {
    200: {
      type: 'object',
      required: [
        'message',
        'transactionId',
        'memberId',
        'recipientId',
        'tokens',
        'senderBalance',
        'recipientBalance',
        'realmPointId',
      ],
      properties: {
        message: { type: 'string' },
        transactionId: { type: 'integer' },
        memberId,
        recipientId: memberId,
        tokens: { type: 'integer' },
        senderBalance: { type: 'integer' },
        recipientBalance: { type: 'integer' },
        realmPointId,
      },
    },
  },
};
