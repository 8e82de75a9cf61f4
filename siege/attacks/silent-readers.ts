import { define } from '../attack.ts';
import { MAX_PIPELINED } from './batch.ts';
import { LIST, withMetadata } from './members.ts';

export const silentReaders = define({
  name: 'silent-readers',
  description: '200 connections ask for 16 lists each and never read an answer',
  full: { members: 500, connections: 200, requests: MAX_PIPELINED },
  short: { members: 50, connections: 50, requests: 10 },
  prepare: (seeder, { members }) => seeder.members(members, () => withMetadata(7_000)),
  run: (attacker, { connections, requests }) => {
    const { parts } = attacker.request('GET', attacker.path(LIST));
    return attacker.callers(connections, async (connection) => {
      connection.socket.pause();
      connection.send(Array(requests).fill(parts).flat());
      await attacker.untilOver(connection, 'closed by the service');
    });
  },
});
