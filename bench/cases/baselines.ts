import type { Case } from './case.ts';
import { transferRequest } from './transfer-request.ts';

/** They all get exactly the same bytes as the service, including the key. */
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

/** No key, no headers, nothing stored: what others measure as "a route". */
export const plainRoute: Case = {
  name: 'plain Fastify route',
  server: 'plain-route',
  connections: [64],
  request: transferRequest,
};

/** The same among the cases on PostgreSQL, since rates of two contests do not compare. */
export const plainRouteBesidePostgres: Case = {
  ...plainRoute,
  name: 'plain Fastify route, beside PostgreSQL',
  contest: 'PostgreSQL',
};
