import type { Case } from './case.ts';
import { transferRequest } from './transfer.ts';

const connections = [1, 64, 256];

/** Both get exactly the bytes that the service gets, key and all. */
export const echo: Case = {
  name: 'node:http JSON echo',
  server: 'echo',
  connections,
  request: transferRequest,
};

export const emptyRoute: Case = {
  name: 'empty Fastify route',
  server: 'empty-route',
  connections,
  request: transferRequest,
};
