import type { Case } from './case.ts';
import { transferRequest } from './transfer.ts';

/** Both get exactly the same bytes as the service, including the key. */
export const echo: Case = {
  name: 'node:http JSON echo',
  server: 'echo',
  connections: [64],
  request: transferRequest,
};

export const emptyRoute: Case = {
  name: 'empty Fastify route',
  server: 'empty-route',
  connections: [1, 64, 256],
  request: transferRequest,
};
