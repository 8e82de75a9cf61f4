import { define } from '../attack.ts';
import type { Attacker, Outgoing } from '../attacker.ts';
import { batchWriter, entriesOf } from './batch.ts';
import { largestMember } from './members.ts';

const MEMBERS = 50;

/** All events, from the first one on. */
const streamRequest = (attacker: Attacker): Outgoing =>
  attacker.request('GET', attacker.path('/events'), { accept: 'text/event-stream' });

/** A client that never lets the events come to an end. */
function writer(attacker: Attacker, entries: number): Promise<void> {
  const credits = entriesOf(entries, MEMBERS, (memberId) => ({ memberId, tokens: 1 }));
  return attacker.clients(1, batchWriter(attacker, credits, entries));
}

export const streams = define({
  name: 'streams',
  description: '1,200 callers open streams as fast as they can, and one client writes events',
  full: { callers: 1_200, entries: 100 },
  short: { callers: 200, entries: 10 },
  prepare: (seeder) => seeder.members(MEMBERS),
  run: async (attacker, { callers, entries }) => {
    const { parts } = streamRequest(attacker);
    const reading = attacker.callers(callers, async (connection) => {
      connection.send(parts);
      const status = await connection.answer();
      attacker.count(status ?? (attacker.isOver ? 'unfinished' : 'closed'));
      if (status !== 200) return;
      connection.discard();
      await attacker.untilOver(connection, 'stream ended');
    });
    await Promise.all([reading, writer(attacker, entries)]);
  },
});

export const silentStreams = define({
  name: 'silent-streams',
  description: '500 callers open a stream with the largest events, and never read it',
  full: { members: 500, callers: 500, entries: 1_000 },
  short: { members: MEMBERS, callers: 50, entries: 100 },
  prepare: (seeder, { members }) => seeder.members(members, largestMember),
  run: async (attacker, { callers, entries }) => {
    const { parts } = streamRequest(attacker);
    const ignoring = attacker.callers(callers, async (connection) => {
      connection.socket.pause();
      connection.send(parts);
      await attacker.untilOver(connection, 'closed by the service');
    });
    await Promise.all([ignoring, writer(attacker, entries)]);
  },
});
