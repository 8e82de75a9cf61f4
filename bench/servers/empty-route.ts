import { generateKey } from '../../src/domain/key-format.ts';
import { REALM } from '../community.ts';
import { announce } from './announce.ts';
import { type TransferBody, transferAnswer } from './transfer-answer.ts';
import { emptyFastify, transferSchema } from './transfer-schema.ts';

/**
 * A Fastify route with the schemas of a transfer and nothing behind it: the cost of the framework
 * alone.
 */
const app = emptyFastify();
app.patch<{ Params: { memberID: string }; Body: TransferBody }>(
  '/api/v4/realms/:realmID/members/:memberID/transfer',
  { schema: transferSchema },
  (request) => transferAnswer(request.params.memberID, request.body),
);

const url = await app.listen({ host: '127.0.0.1', port: 0 });
announce({ url, keys: { [REALM]: generateKey().key } });
