import { define } from '../attack.ts';

export const idempotencyKeys = define({
  name: 'idempotency-keys',
  description: '64 clients credit points, each time under a new idempotency key',
  full: { clients: 64 },
  short: { clients: 16 },
  prepare: (seeder, { clients }) => seeder.members(clients),
  run: (attacker, { clients }) =>
    attacker.clients(clients, (client) => {
      const mark = attacker.mark();
      return attacker.request('PATCH', attacker.path(`/members/${client + 1}/tokenBalance`), {
        body: [`{"tokens":1,"description":"${mark}"}`],
        write: { mark, records: 1 },
      });
    }),
});
