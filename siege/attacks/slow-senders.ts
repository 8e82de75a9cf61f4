import { setTimeout as pause } from 'node:timers/promises';
import { define } from '../attack.ts';

const EVERY_MS = 500;

export const slowSenders = define({
  name: 'slow-senders',
  description: '500 connections send a request two bytes a second, half of them in its body',
  full: { connections: 500 },
  short: { connections: 100 },
  prepare: (seeder) => seeder.members(1),
  run: (attacker, { connections }) => {
    const body = ' '.repeat(100_000);
    const path = attacker.path('/members/1/tokenBalance');
    const [head = ''] = attacker.request('PATCH', path, { body: [body] }).parts;
    return attacker.callers(connections, async (connection, caller) => {
      const isInBody = caller % 2 === 0;
      connection.send([isInBody ? head : String(head).slice(0, 20)]);
      while (!attacker.isOver && !connection.isClosed) {
        connection.send([isInBody ? ' ' : 'x']);
        await pause(EVERY_MS);
      }
      attacker.count(attacker.isOver ? 'open to the end' : 'closed by the service');
    });
  },
});
