import { setTimeout as pause } from 'node:timers/promises';
import { define } from '../attack.ts';
import { LIST, largestMember } from './members.ts';

/** Long enough for the service to have read the request. */
const STAY_MS = 20;

export const leavers = define({
  name: 'leavers',
  description: '20 callers ask for a list of the largest members, leave at once, and come back',
  full: { members: 500, callers: 20 },
  short: { members: 40, callers: 10 },
  prepare: (seeder, { members }) => seeder.members(members, largestMember),
  run: (attacker, { callers }) => {
    const { parts } = attacker.request('GET', attacker.path(LIST));
    return attacker.callers(callers, async (connection) => {
      connection.socket.pause();
      connection.send(parts);
      await pause(STAY_MS);
      attacker.count('left');
    });
  },
});
