import { defineFor, ok } from '../operation.ts';
import * as s from '../schemas.ts';
import { named, Type } from '../type.ts';

const define = defineFor('Realms');

const OF_SERVICE = ['check-failed', 'backup-overdue', 'discord-disconnected'] as const;
const OF_REALM = ['webhook-failing', 'key-expiring', 'claims-waiting', 'award-unusual'] as const;

export const getAttention = define({
  summary: 'Get what needs attention',
  description:
    'What somebody should look at, the gravest first; nothing if all is well. Claims and awards ' +
    'are there for every key, backups for the root key and owners, the rest for `admin`.',
  answer: ok(
    named('Attention', {
      items: Type.Array(
        Type.Object({
          type: s.choiceOf([...OF_SERVICE, ...OF_REALM]),
          at: { ...s.InstantOrNull, description: 'Since when, if known; or when a key expires.' },
          ...s.optional({
            detail: s.text('What is wrong.', 'record 7 is missing'),
            webhookId: s.text('The webhook.', 'q7Lm20RtYb5c'),
            url: s.text('Where it sends events.', 'https://bot.acme.example/realmkeep'),
            keyId: s.text('The key.', 'k3Jx81PzQw2m'),
            name: s.text('The name of the key.', 'shop bot'),
            claims: s.integer('How many claims wait for delivery.', 3),
            transactionId: s.TransactionId,
            memberId: s.MemberId,
            realmPointId: s.RealmPointId,
            tokens: s.integer('What was awarded.', 50_000),
            usual: s.integer('What awards do not exceed usually.', 100),
            actor: s.text('Who awarded it.', 'key:k3Jx81PzQw2m'),
            onBehalfOf: s.text('For whom.', 'discord:80351110224678912'),
          }),
        }),
      ),
    }),
  ),
});
