import fastify from 'fastify';
import { generateKey } from '../../src/domain/key-format.ts';
import { REALM } from '../community.ts';
import { announce } from './announce.ts';

/** A route as a newcomer writes it: the two fields of a transfer, a small answer, nothing else. */
const app = fastify({ logger: false });
app.patch(
  '/api/v4/realms/:realmID/members/:memberID/transfer',
  {
    schema: {
      body: {
        type: 'object',
        required: ['recipientId', 'tokens'],
        properties: { recipientId: { type: 'string' }, tokens: { type: 'integer' } },
      },
      response: { 200: { type: 'object', properties: { message: { type: 'string' } } } },
    },
  },
  () => ({ message: 'Ok' }),
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
announce({ url, keys: { [REALM]: generateKey().key } });
