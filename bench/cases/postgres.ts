import { fewMembers, manyRealms } from '../realms.ts';
import { plainRouteBesidePostgres } from './baselines.ts';
import type { Case } from './case.ts';
import { getMember } from './get-member.ts';
import { spreadRequest } from './many-realms.ts';
import { transfer } from './transfer.ts';
import { transferRequest } from './transfer-request.ts';

/**
 * Fastify and a connection pool, one transaction per request, its statements sent as text with
 * values. The targets refer to this one.
 */
export const usualWay: Case = {
  name: 'the usual way, PostgreSQL',
  server: 'usual-way',
  connections: [64, 256],
  contest: 'PostgreSQL',
  request: transferRequest,
};

/**
 * The same with named statements, which each connection plans once: a quarter to a third faster. It
 * is shown too, so that the comparison is fair.
 */
export const usualWayPrepared: Case = {
  ...usualWay,
  name: 'the usual way, prepared, PostgreSQL',
  server: 'usual-way-prepared',
};

export const transferOnPostgres: Case = {
  ...transfer,
  name: 'durable transfer, PostgreSQL',
  server: 'realmkeep-postgres',
  connections: [64, 256],
  contest: 'PostgreSQL',
  targets: {},
  reaches: [
    { timesOf: usualWay, atLeast: { 64: 5, 256: 6 } },
    { timesOf: usualWayPrepared, atLeast: { 64: null, 256: null } },
  ],
};

export const transferOverRealmsOnPostgres: Case = {
  name: 'durable transfer, 1,000 realms, PostgreSQL',
  server: 'realms-postgres',
  connections: [64],
  contest: 'PostgreSQL',
  members: fewMembers,
  realms: manyRealms,
  reaches: [{ timesOf: transferOnPostgres, atLeast: { 64: 0.7 } }],
  request: spreadRequest,
};

export const getMemberOnPostgres: Case = {
  ...getMember,
  name: 'GET member, PostgreSQL',
  server: 'realmkeep-postgres',
  contest: 'PostgreSQL',
  targets: {},
  reaches: [{ timesOf: plainRouteBesidePostgres, atLeast: { 64: 0.4 } }],
};
