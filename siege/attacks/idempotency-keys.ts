import { define } from '../attack.ts';
import type { Attacker, Outgoing } from '../attacker.ts';

export const idempotencyKeys = define({
  name: 'idempotency-keys',
  description: '64 clients credit points, each time under a new idempotency key',
  full: { clients: 64 },
  short: { clients: 16 },
  prepare: (seeder, { clients }) => seeder.members(clients),
  run: (attacker, { clients }) =>
    attacker.clients(clients, (client) => creditOf(attacker, client + 1)),
});

/** A credit of one point under a key of its own. */
export function creditOf(attacker: Attacker, memberId: number): Outgoing {
  const mark = attacker.mark();
  return attacker.request('PATCH', attacker.path(`/members/${memberId}/tokenBalance`), {
    body: [`{"tokens":1,"description":"${mark}"}`],
    write: { mark, records: 1 },
  });
}
